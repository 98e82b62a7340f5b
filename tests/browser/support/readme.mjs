// The examples of the READMEs, and what they promise.
import { readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "..", "..", "..");

/** The fenced blocks of a language in a file. */
export function examples(path, language) {
  const text = readFileSync(join(root, path), "utf8");
  return [...text.matchAll(/```(\w+)\n(.*?)```/gs)].filter(([, tag]) => tag === language).map(([, , code]) => code);
}

/** The numbers that comments promise to be logged, line by line. */
export const promised = (code) =>
  [...code.matchAll(/console\.log\(.*\/\/ (.*)$/gm)].map(([, text]) => text.split(", ").map(Number));

/** Whether so many numbers were logged, each as promised to three digits. */
export const kept = (logged, numbers) =>
  logged.length === numbers.length && numbers.every((number, i) => Math.abs(logged[i] - number) <= 5e-4);
