import { latinDigits } from "./direction.ts";

export const SHORTEST_PIN = 4;
export const LONGEST_PIN = 8;

export function readPin(text: string): string {
  return latinDigits(text).replaceAll(/\D/g, "").slice(0, LONGEST_PIN);
}
