// A server for the files of some folders, on this machine alone.
import { createReadStream, readFileSync, statSync } from "node:fs";
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
 * @param {Record<string, string | string[]>} folders The folder behind each first part of a path, or several of which
 *   the first one that holds the file serves; `""` is what else there is.
 * @returns {Promise<{
 *   origin: string,
 *   answer: (pattern: RegExp, how: { status?: number, text?: (text: string) => string }) => () => void,
 *   close: () => Promise<void>,
 * }>} `answer` serves the files that match otherwise, until what it returns is called: not at all, with this status, or
 *   changed.
 */
export async function serve(folders) {
  const answers = new Set();
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? "/", "http://localhost").pathname;
    const file = fileFor(folders, path);
    if (!file) {
      response.writeHead(404).end("not found");
      return;
    }
    const how = [...answers].find(({ pattern }) => pattern.test(path))?.how ?? {};
    response.writeHead(how.status ?? 200, { "Content-Type": TYPES[extname(file)] ?? "application/octet-stream" });
    if (how.status) response.end("asked for");
    else if (how.text) response.end(how.text(readFileSync(file, "utf8")));
    else createReadStream(file).pipe(response);
  });
  await new Promise((resolve, reject) => server.once("error", reject).listen(0, "127.0.0.1", resolve));
  return {
    origin: `http://127.0.0.1:${server.address().port}`,
    answer(pattern, how) {
      const answer = { pattern, how };
      answers.add(answer);
      return () => answers.delete(answer);
    },
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

function fileFor(folders, path) {
  const parts = normalize(decodeURIComponent(path)).split("/").filter(Boolean);
  if (parts.includes("..")) return undefined;
  const [found, rest] = parts[0] in folders ? [folders[parts[0]], parts.slice(1)] : [folders[""], parts];
  const files = [found ?? []].flat().map((folder) => join(folder, ...rest));
  return files
    .flatMap((file) => [file, join(file, "index.html")])
    .find((candidate) => statSync(candidate, { throwIfNoEntry: false })?.isFile());
}
