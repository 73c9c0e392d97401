import { StartupError } from "../config/config.ts";
import { WEBHOOK_KINDS, type WebhookKind } from "../contract/pos/webhooks.ts";

/** Reads kinds separated by commas. */
export function readKinds(text: string): WebhookKind[] {
  const names = text.split(",").map((name) => name.trim());
  return names.map((name) => oneOf(WEBHOOK_KINDS, name, "kind"));
}

/** @throws StartupError unless the text is one of the known texts */
export function oneOf<T extends string>(known: readonly T[], text: string, option: string): T {
  const found = known.find((name) => name === text);
  if (found) return found;
  throw new StartupError(`--${option} must be one of ${known.join(", ")}, not "${text}".`);
}
