import { createHash } from "node:crypto";

/**
 * Returns the SHA-256 (hex) of a value's canonical JSON, independent of the order of fields and of
 * undefined fields.
 */
export function digestOf(value: unknown): string {
  return createHash("sha256").update(canonical(value)).digest("hex");
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value ?? null);
  const fields = Object.entries(value)
    .filter(([, field]) => field !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, field]) => `${JSON.stringify(name)}:${canonical(field)}`);
  return `{${fields.join(",")}}`;
}
