import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { parseArgs } from "node:util";

export function isUpToDate(path: string, text: string): boolean {
  return existsSync(path) && readFileSync(path, "utf8") === text;
}

/**
 * Runs the command line of a generator. Writes the file, or with `--check` exits with 1 if the file
 * is stale.
 * @param script npm script that writes the file, for the error message
 */
export function runGenerator(path: string, script: string, generate: () => string): void {
  const { values } = parseArgs({ options: { check: { type: "boolean", default: false } } });
  let text: string;
  try {
    text = generate();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
    return;
  }
  const name = basename(path);
  if (!values.check) {
    writeFileSync(path, text);
    console.log(`${name}: written, ${Buffer.byteLength(text)} bytes`);
  } else if (isUpToDate(path, text)) {
    console.log(`${name}: up to date`);
  } else {
    console.error(`${name}: stale: run npm run ${script} and commit the result`);
    process.exitCode = 1;
  }
}
