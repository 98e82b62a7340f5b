// Prints what comes of it on the page's own thread.
import { norm } from "./norm.js";

document.querySelector("output").value = await norm();
