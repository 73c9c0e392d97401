import type { GoingLiveCheck } from "../../../../contract/pos/till-environment.ts";
import type { Db } from "../../../../db/database.ts";
import { toTimestamp } from "../../../../lib/clock.ts";
import { readTurnedRed } from "../../going-live/index.ts";
import type { AlertSource } from "../alert-source.ts";

/**
 * Checks with an alert kind of their own, which reports a failure before the nightly check does.
 */
const HAVE_OWN_ALERT: readonly GoingLiveCheck[] = [
  "PRICES_COVER_COST",
  "RATE_RECENT",
  "WALLET_FUNDED",
  "DISK_HAS_ROOM",
];

/** Finds checks that would prevent going live now (rules#live-nightly-checks). */
export function createLiveCheckSource({ db }: { db: Db }): AlertSource<"LIVE_CHECKS"> {
  return {
    kind: "LIVE_CHECKS",
    async find({ accountId }) {
      const all = await readTurnedRed(db, accountId);
      const red = all.filter(({ check }) => !HAVE_OWN_ALERT.includes(check));
      const [oldest] = red;
      if (!oldest) return [];
      return [
        {
          environment: "live",
          subject: "",
          cause: "LIVE_CHECKS",
          level: "URGENT",
          mark: red.map(({ check }) => check).join(" "),
          facts: { count: red.length, since: toTimestamp(oldest.since) },
        },
      ];
    },
  };
}
