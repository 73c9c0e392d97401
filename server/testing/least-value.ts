import fc from "fast-check";
import type { TSchema } from "typebox";

interface Described {
  type?: string;
  const?: unknown;
  enum?: readonly unknown[];
  anyOf?: readonly TSchema[];
  properties?: Record<string, TSchema>;
  required?: readonly string[];
  items?: TSchema;
  minItems?: number;
  minimum?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  format?: string;
}

/**
 * Returns the smallest value that a schema allows: only required fields, and the lowest numbers.
 * Repeated calls return equal values.
 */
export function leastValue(schema: TSchema): unknown {
  const described: Described = schema;
  if ("const" in described) return described.const;
  if (described.enum) return described.enum[0];
  if (described.anyOf?.[0]) return leastValue(described.anyOf[0]);
  switch (described.type) {
    case "object":
      return leastObject(described);
    case "array":
      return Array.from({ length: described.minItems ?? 0 }, () => leastValue(described.items!));
    case "integer":
    case "number":
      return Math.max(described.minimum ?? 0, 0);
    case "boolean":
      return false;
    default:
      return leastText(described);
  }
}

function leastObject({ properties = {}, required = [] }: Described): object {
  const fields = required.map((name) => [name, leastValue(properties[name]!)]);
  return Object.fromEntries(fields);
}

/**
 * Texts by the pattern that they match, because fast-check needs some milliseconds for each search.
 */
const found = new Map<string, string>();

function leastText({ format, pattern, minLength = 0, maxLength = Infinity }: Described): string {
  if (format === "date-time") return "2026-01-15T09:30:00.000Z";
  if (!pattern) return "x".repeat(minLength);
  const key = `${minLength} ${maxLength} ${pattern}`;
  const known = found.get(key);
  if (known !== undefined) return known;
  const texts = fc
    .stringMatching(new RegExp(pattern))
    .filter((text) => text.length >= minLength && text.length <= maxLength);
  const [text = ""] = fc.sample(texts, { seed: 1, numRuns: 1 });
  found.set(key, text);
  return text;
}
