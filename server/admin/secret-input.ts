import { readFile } from "node:fs/promises";
import { StartupError } from "../config/config.ts";
import { optional, required, type Values } from "./command.ts";

const PIN = /^\d+$/;
const SHORTEST_PIN = 4;
const LONGEST_PIN = 8;

/**
 * Reads a PIN from the option, or from standard input for `-`: a PIN in an argument is visible in
 * process lists.
 * @param shortest minimum number of digits, higher for owners
 * @throws StartupError
 */
export async function readPin(
  values: Values,
  option: string,
  shortest = SHORTEST_PIN,
): Promise<string> {
  const given = required(values, option);
  const pin = given === "-" ? (await readStandardInput()).trim() : given;
  const isLong = pin.length >= shortest && pin.length <= LONGEST_PIN;
  if (PIN.test(pin) && isLong) return pin;
  throw new StartupError(`--${option} must be ${shortest} to ${LONGEST_PIN} digits.`);
}

/**
 * Reads a secret from a file, or from standard input for `-`. An argument would be visible in
 * process lists.
 * @throws StartupError if the file cannot be read
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

/**
 * Reads an API key from `--key`, or from the file of `--key-file`.
 * @throws StartupError
 */
export async function readKey(values: Values): Promise<string> {
  const file = optional(values, "key-file");
  return file === undefined ? required(values, "key") : readSecret(file, "key-file");
}

export async function readStandardInput(): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk as Uint8Array));
  return Buffer.concat(chunks).toString("utf8");
}
