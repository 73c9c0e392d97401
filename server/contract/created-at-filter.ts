import { Type } from "typebox";
import { Problem } from "./problem.ts";

/** RFC 3339 time in UTC, with `T` or `t`, and with `Z`, `z` or a zero offset. */
export const UTC_TIME =
  "\\d{4}-\\d{2}-\\d{2}[Tt]\\d{2}:\\d{2}:\\d{2}(\\.\\d{1,9})?([Zz]|[+ -]00:00)";

/**
 * `createdAt` filter: an RFC 3339 UTC time with an optional comparison prefix
 * (rules#list-created-at).
 */
export const CreatedAtFilter = Type.String({
  pattern: `^(lt|lte|gt|gte)?${UTC_TIME}$`,
  description:
    "an RFC 3339 UTC time; after lt, lte, gt or gte it is compared, alone it matches exactly",
  examples: ["gte2026-01-15T00:00:00.000Z"],
});

/** As `createdAt`, for the time of the last change. It also changes the order of the list. */
export const UpdatedAtFilter = Type.String({
  pattern: `^(lt|lte|gt|gte)?${UTC_TIME}$`,
  description:
    "like createdAt, for the last change of the status. The list then starts with the newest change",
  examples: ["gte2026-01-15T00:00:00.000Z"],
});

export type Comparison = "=" | "<" | "<=" | ">" | ">=";

/**
 * A parsed `createdAt` filter. `instant` is in milliseconds. A time between two milliseconds ends
 * in .5, so that comparisons with whole milliseconds give the exact result.
 */
export interface CreatedAtCondition {
  comparison: Comparison;
  instant: number;
}

const COMPARISONS: Record<string, Comparison> = {
  "": "=",
  lt: "<",
  lte: "<=",
  gt: ">",
  gte: ">=",
};

const PREFIXED = /^(lt|lte|gt|gte|)(\d.*)$/s;
/** Accepts a space for `+`, because an unescaped `+` in a query arrives as a space. */
const INSTANT = /^(\d{4}-\d{2}-\d{2})[Tt](\d{2}:\d{2}:\d{2})(?:\.(\d{1,9}))?(?:[Zz]|[+ -]00:00)$/;

/**
 * Parses the filter `createdAt` or `updatedAt` (rules#list-created-at).
 * @throws Problem INVALID_REQUEST naming the filter, for a time that does not exist
 */
export function parseCreatedAtFilter(
  text: string,
  name: "createdAt" | "updatedAt" = "createdAt",
): CreatedAtCondition {
  const [, prefix = "", time = ""] = PREFIXED.exec(text) ?? [];
  const instant = findInstant(time);
  if (instant === undefined) {
    throw new Problem("INVALID_REQUEST", `${name} is not a point in time.`, {
      [name]: "must be an RFC 3339 UTC time, optionally after lt, lte, gt or gte",
    });
  }
  return { comparison: COMPARISONS[prefix] ?? "=", instant };
}

/**
 * Returns an RFC 3339 UTC time in milliseconds, ending in .5 if it is between two milliseconds.
 * Returns undefined for a time that does not exist.
 */
export function findInstant(text: string): number | undefined {
  const match = INSTANT.exec(text);
  if (!match) return undefined;
  const [, day = "", time = "", fraction = "0"] = match;
  const seconds = `${day}T${time}`;
  const instant = Date.parse(`${seconds}.000Z`);
  const digits = fraction.padEnd(3, "0");
  // JavaScript parses 30 February as 2 March: only an existing date reads back unchanged.
  if (Number.isNaN(instant) || !new Date(instant).toISOString().startsWith(seconds)) {
    return undefined;
  }
  return instant + Number(digits.slice(0, 3)) + (/[1-9]/.test(digits.slice(3)) ? 0.5 : 0);
}
