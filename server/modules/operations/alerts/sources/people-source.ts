import type { Db } from "../../../../db/database.ts";
import { DAY } from "../../../../lib/clock.ts";
import { countGuesses } from "../../../shop/staff/index.ts";
import type { AlertSource } from "../alert-source.ts";

const COUNTED_MS = DAY;
/**
 * Minimum number of wrong PINs. Fewer are typing mistakes. This many consecutive wrong PINs lock a
 * name.
 */
const MIN_WRONG_PINS = 5;

/** Finds wrong PINs for a name within a day. A new PIN deletes them. */
export function createPinSource({ db }: { db: Db }): AlertSource<"WRONG_PINS"> {
  return {
    kind: "WRONG_PINS",
    async find({ accountId, now }) {
      const people = await countGuesses(db, accountId, { since: now - COUNTED_MS, now });
      return people
        .filter(({ count }) => count >= MIN_WRONG_PINS)
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
