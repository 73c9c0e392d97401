import type { Db } from "../../../../db/database.ts";
import { DAY } from "../../../../lib/clock.ts";
import { countGuesses } from "../../../shop/staff/index.ts";
import type { AlertSource } from "../alert-source.ts";

const COUNTED_MS = DAY;
/** After so many in a row a name is locked: fewer are mistyped. */
const MANY = 5;

/** Wrong PINs are typed for a name: over when a day has passed, or a new PIN was set. */
export function createPinSource({ db }: { db: Db }): AlertSource<"WRONG_PINS"> {
  return {
    kind: "WRONG_PINS",
    async find({ accountId, now }) {
      const people = await countGuesses(db, accountId, { since: now - COUNTED_MS, now });
      return people
        .filter(({ count }) => count >= MANY)
        .map(({ staffId, name, count }) => ({
          environment: undefined,
          subject: staffId,
          cause: "WRONG_PINS",
          level: "SOON",
          mark: String(count),
          facts: { name, count },
        }));
    },
  };
}
