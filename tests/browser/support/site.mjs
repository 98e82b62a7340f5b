// What the tests' pages are made of: the packed façade, the module with the conformance run, the executor.
import { join } from "node:path";
import { conformanceFolder, packageFolder, testsFolder } from "./places.mjs";
import { serve } from "./server.mjs";

/**
 * Serves it: `/package` is the npm package's code, `/conformance` the module, `/tests` this folder. `/panicking` is the
 * package's façade over the module with the conformance run, which can be made to panic.
 */
export function serveSite() {
  return serve({
    "": join(testsFolder, "pages"),
    package: join(packageFolder, "dist"),
    conformance: conformanceFolder,
    panicking: [conformanceFolder, join(packageFolder, "dist")],
    tests: testsFolder,
  });
}
