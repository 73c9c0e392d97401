import type { Migration } from "kysely/migration";
import { migration001 } from "./001-baseline.ts";
import { migration002 } from "./002-returned-lines.ts";
import { migration003 } from "./003-settings.ts";
import { migration004 } from "./004-merged-tables.ts";
import { migration005 } from "./005-channel-and-key.ts";
import { migration006 } from "./006-provider-kinds.ts";
import { migration007 } from "./007-providers.ts";
import { migration008 } from "./008-webhook-kinds.ts";
import { migration009 } from "./009-key-scopes.ts";
import { migration010 } from "./010-request-log.ts";
import { migration011 } from "./011-ledger-legs.ts";
import { migration012 } from "./012-provider-states.ts";
import { migration013 } from "./013-updated-list.ts";
import { migration014 } from "./014-unused.ts";
import { migration015 } from "./015-provider-balances.ts";

/** Migrations in order. All are frozen, including the baseline: each change is a new migration. */
export const migrations: Record<string, Migration> = {
  "001-baseline": migration001,
  "002-returned-lines": migration002,
  "003-settings": migration003,
  "004-merged-tables": migration004,
  "005-channel-and-key": migration005,
  "006-provider-kinds": migration006,
  "007-providers": migration007,
  "008-webhook-kinds": migration008,
  "009-key-scopes": migration009,
  "010-request-log": migration010,
  "011-ledger-legs": migration011,
  "012-provider-states": migration012,
  "013-updated-list": migration013,
  "014-unused": migration014,
  "015-provider-balances": migration015,
};

/** First and last migration of the versions before the baseline. */
const EARLIER = { first: "001-foundation", last: "142-losses-by-sale" };

/**
 * Returns whether a version before the baseline made the database or the export.
 * @param applied names of its migrations
 */
export function isEarlier(applied: ReadonlySet<string>): boolean {
  return applied.has(EARLIER.first);
}

/** Returns whether an export has exactly the schema that `takeExport` converts to the baseline. */
export function isLastEarlier(applied: ReadonlySet<string>): boolean {
  return isEarlier(applied) && applied.has(EARLIER.last);
}

export const EARLIER_REMEDY =
  "Export the shop with the version that made it, and import that file with this one: tillgate export, then tillgate import";
