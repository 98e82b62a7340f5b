// A server for the files of some folders, on this machine alone.
import { createReadStream, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";

const TYPES = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".mjs": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json",
  ".wasm": "application/wasm",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
};

/**
 * Serves folders.
 *
 * @param {Record<string, string>} folders The folder behind each first part of a path; `""` is what else there is.
 * @returns {Promise<{ origin: string, close: () => Promise<void> }>}
 */
export async function serve(folders) {
  const server = createServer((request, response) => {
    const file = fileFor(folders, new URL(request.url ?? "/", "http://localhost").pathname);
    if (!file) {
      response.writeHead(404).end("not found");
      return;
    }
    response.writeHead(200, { "Content-Type": TYPES[extname(file)] ?? "application/octet-stream" });
    createReadStream(file).pipe(response);
  });
  await new Promise((resolve, reject) => server.once("error", reject).listen(0, "127.0.0.1", resolve));
  return {
    origin: `http://127.0.0.1:${server.address().port}`,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

function fileFor(folders, path) {
  const parts = normalize(decodeURIComponent(path)).split("/").filter(Boolean);
  if (parts.includes("..")) return undefined;
  const [folder, rest] = parts[0] in folders ? [folders[parts[0]], parts.slice(1)] : [folders[""], parts];
  const file = folder && join(folder, ...rest);
  return [file, file && join(file, "index.html")].find((candidate) => {
    return candidate && statSync(candidate, { throwIfNoEntry: false })?.isFile();
  });
}
