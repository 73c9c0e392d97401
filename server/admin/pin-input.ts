import { StartupError } from "../config/config.ts";
import { required, type Values } from "./command.ts";
import { readStandardInput } from "./standard-input.ts";

const PIN = /^\d{4,8}$/;

/**
 * The PIN an option gives; `-` reads it from standard input, where no list of processes shows it.
 * @throws StartupError naming the option
 */
export async function readPin(values: Values, option: string): Promise<string> {
  const given = required(values, option);
  const pin = given === "-" ? (await readStandardInput()).trim() : given;
  if (PIN.test(pin)) return pin;
  throw new StartupError(`--${option} must be 4 to 8 digits.`);
}
