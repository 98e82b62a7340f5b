import { defineConfig } from "vite";
import { katexAtBuild } from "./plugins/katex.ts";

export default defineConfig({
  // Relative addresses: the built page works under any path of a static host.
  base: "./",
  plugins: [katexAtBuild()],
  build: {
    target: "es2022",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  worker: { format: "es" },
  // Bundling the package ahead of time would part it from its module.
  optimizeDeps: { exclude: ["rownorm"] },
  // The real activations lie in tests/golden/real.
  server: { fs: { allow: ["../.."] } },
});
