import { StartupError } from "../config/config.ts";
import { required, type Values } from "./command.ts";
import { readStandardInput } from "./standard-input.ts";

const PIN = /^\d+$/;
const SHORTEST_PIN = 4;
const LONGEST_PIN = 8;

/**
 * The PIN an option gives; `-` reads it from standard input, where no list of processes shows it.
 * @param shortest an owner's has more digits than others'
 * @throws StartupError naming the option
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
