// The figures of the page. Each is a custom element; the text around them needs none of this.
import "virtual:katex.css";
import "./elements/rn-theme.ts";
import "./elements/rn-two.ts";
import "./elements/rn-device.ts";
import "./elements/rn-compare.ts";
import "./elements/rn-bench.ts";
import "./sections.ts";
