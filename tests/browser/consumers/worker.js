import { norm } from "./norm.js";

postMessage(await norm());
