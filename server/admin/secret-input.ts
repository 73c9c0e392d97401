import { readFile } from "node:fs/promises";
import { StartupError } from "../config/config.ts";
import { readStandardInput } from "./standard-input.ts";

/**
 * A secret from a file, or with `-` from standard input: never from an argument, which every list
 * of processes shows.
 * @throws StartupError naming the option
 */
export async function readSecret(file: string, option: string): Promise<string> {
  try {
    const text = file === "-" ? await readStandardInput() : await readFile(file, "utf8");
    return text.replace(/\r?\n$/, "");
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartupError(`--${option} cannot be read: ${reason}.`);
  }
}
