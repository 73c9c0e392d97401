import { sql } from "kysely";
import { offsetOf, type TimeZone } from "../../contract/pos/shop-day.ts";
import type { CheckedForLive } from "../../contract/pos/till-environment.ts";
import type { Scope } from "../../db/changes.ts";
import type { Db } from "../../db/database.ts";
import { inScope } from "../../db/scope-filters.ts";
import { type Clock, DAY } from "../../lib/clock.ts";
import { findAudit } from "../audit-trail/index.ts";
import type { UpstreamService } from "../upstream/index.ts";
import { getBalances } from "../wallet/index.ts";
import { findAlert } from "../wallet-office/index.ts";
import { stopping, warning } from "./checked.ts";

interface Deps {
  db: Db;
  clock: Clock;
  upstream: UpstreamService;
}

/** How far back days in test are looked at. */
const LOOKED_BACK_MS = 30 * DAY;

/** The live wallet: filled, as much as the provider holds, and how far that goes. */
export async function checkWallet(
  { db, clock, upstream }: Deps,
  scope: Scope,
  timeZone: TimeZone,
): Promise<CheckedForLive[]> {
  const wallet = await getBalances(db, scope);
  const { balance } = await upstream.getStatus(scope);
  const { available, held, currency, currencyDivisor } = wallet;
  const unit = { currency, currencyDivisor };
  const average = await readTestDay(db, scope.accountId, { now: clock.now(), timeZone });
  return [
    stopping("WALLET_FUNDED", available > 0, { available, ...unit }),
    ...(balance
      ? [
          warning("WALLET_MATCHES_GATEWAY", balance.difference === 0, {
            there: balance.upstream,
            here: available + held,
            ...unit,
          }),
        ]
      : []),
    ...(average === 0
      ? []
      : [
          warning("WALLET_COVERS_DAY", available >= average, {
            available,
            average,
            days: (available / average).toFixed(1),
            ...unit,
          }),
        ]),
  ];
}

/** What the sales of a day in test cost on average, of the days that had any; minor units. */
async function readTestDay(
  db: Db,
  accountId: string,
  { now, timeZone }: { now: number; timeZone: TimeZone },
): Promise<number> {
  const offset = offsetOf(now, timeZone);
  const { amount, days } = await db
    .selectFrom("transactions")
    .select(({ fn }) => fn.sum<number | null>("amount").as("amount"))
    .select(sql<number>`count(distinct (created_at + ${offset}) / ${DAY})`.as("days"))
    .where(inScope({ accountId, environment: "test" }))
    .where("type", "=", "DEBIT")
    .where("status", "=", "DONE")
    .where("training", "=", 0)
    .where("created_at", ">=", now - LOOKED_BACK_MS)
    .executeTakeFirstOrThrow();
  return days === 0 ? 0 : Math.round((amount ?? 0) / days);
}

/** Whether an owner is told in time: an amount that the wallet is low under, and mail that arrives. */
export async function checkAlerts(
  { db }: Deps,
  { accountId, environment }: Scope,
): Promise<CheckedForLive[]> {
  const { lowAmount, lowHours } = await findAlert(db, { accountId, environment });
  const isSet = (lowAmount ?? lowHours) !== undefined;
  const tested = await findAudit(db, { accountId, action: "mail.test", subject: accountId });
  return [warning("ALERT_AMOUNT_SET", isSet), warning("ALERT_TESTED", tested !== undefined)];
}
