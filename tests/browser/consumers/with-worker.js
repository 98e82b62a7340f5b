// Prints what comes of it on the page's own thread and in a worker.
import { norm } from "./norm.js";

const worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
const answer = new Promise((resolve) => {
  worker.onmessage = ({ data }) => resolve(data);
  worker.onerror = ({ message }) => resolve(`the worker failed: ${message}`);
});
const texts = await Promise.all([norm(), answer]);
document.querySelector("output").value = texts.join(", ");
