import { defineConfig } from "vite";
import { katexAtBuild } from "./plugins/katex.ts";
import { oneModule } from "./plugins/one-module.ts";

export default defineConfig({
  // Relative addresses: the built page works under any path of a static host.
  base: "./",
  plugins: [katexAtBuild(), oneModule()],
  build: {
    target: "es2022",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  // The real activations lie in tests/golden/real.
  server: { fs: { allow: ["../.."] } },
});
