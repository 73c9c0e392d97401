import type { Migration } from "kysely/migration";
import { migration001 } from "./001-baseline.ts";

/** In order, frozen once released: from then on a change is a new migration. */
export const migrations: Record<string, Migration> = {
  "001-baseline": migration001,
};

/** The first and the last migration of the versions before the baseline. */
const EARLIER = { first: "001-foundation", last: "142-losses-by-sale" };

/** @param applied the migrations of a database or an export */
export function isEarlier(applied: ReadonlySet<string>): boolean {
  return applied.has(EARLIER.first);
}

/** Returns whether the migrations of an export are those that `takeExport` converts to the baseline. */
export function isLastEarlier(applied: ReadonlySet<string>): boolean {
  return isEarlier(applied) && applied.has(EARLIER.last);
}

/** What to do with a shop of a version before the baseline. */
export const EARLIER_REMEDY =
  "Export the shop with the version that made it, and import that file with this one: tillgate export, then tillgate import";
