import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { readStandardInput } from "./standard-input.ts";

/** A secret from standard input: typed unseen at a prompt, or piped. */
export async function askForSecret(what: string): Promise<string> {
  if (!process.stdin.isTTY) return readStandardInput();
  process.stderr.write(`${what}: `);
  const unseen = new Writable({ write: (_chunk, _encoding, done) => done() });
  const prompt = createInterface({ input: process.stdin, output: unseen, terminal: true });
  try {
    return await prompt.question("");
  } finally {
    prompt.close();
    process.stderr.write("\n");
  }
}
