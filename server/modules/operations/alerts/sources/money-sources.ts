import { sql } from "kysely";
import { dateOf } from "../../../../contract/pos/shop-day.ts";
import type { Db } from "../../../../db/database.ts";
import { indexedBy } from "../../../../db/engine-words.ts";
import { DAY, MINUTE, toTimestamp } from "../../../../lib/clock.ts";
import { type MoneyService, readRefundsDue } from "../../../office/figures/index.ts";
import type { AlertSource } from "../alert-source.ts";

/** Adds up a day, so it is not done each round. */
const TIE_OUT_EVERY_MS = 10 * MINUTE;

/** What the wallet spent today is not what was sold today cost (rules#figure-tie-out). */
export function createTieOutSource(deps: { figureMoney: MoneyService }): AlertSource {
  return {
    kind: "TIE_OUT",
    every_ms: TIE_OUT_EVERY_MS,
    async find({ accountId, selling, shop, now }) {
      const today = toTimestamp(dateOf(now, shop) * DAY).slice(0, 10);
      const scope = { accountId, environment: selling };
      const { tieOut } = await deps.figureMoney.view(scope, { firstDay: today, lastDay: today });
      const { difference, currency, currencyDivisor } = tieOut;
      if (difference === 0) return [];
      return [
        {
          environment: selling,
          subject: "",
          cause: "TIE_OUT",
          level: "URGENT",
          mark: String(difference),
          facts: { amount: difference, currency, currencyDivisor },
        },
      ];
    },
  };
}

/** What was not delivered, and whose money was not handed back. */
export function createRefundSource({ db }: { db: Db }): AlertSource {
  return {
    kind: "REFUNDS",
    async find({ accountId, watched, shop }) {
      const { currency, currencyDivisor } = shop;
      const findings = watched.map(async (environment) => {
        const due = await readRefundsDue(db, { accountId, environment, currency });
        return {
          environment,
          subject: "",
          cause: "REFUNDS",
          level: "SOON",
          mark: String(due.lines),
          facts: {
            count: due.lines,
            amount: due.amount,
            currency,
            currencyDivisor,
            ...(due.oldest !== undefined && { since: due.oldest }),
          },
        } as const;
      });
      return (await Promise.all(findings)).filter(({ facts }) => facts.count > 0);
    },
  };
}

/** What failed here and may have happened at the provider: its owner has to say which. */
export function createCaseSource({ db }: { db: Db }): AlertSource {
  return {
    kind: "CASES",
    async find({ accountId, watched }) {
      const findings = watched.map(async (environment) => {
        const { rows } = await sql<{ waiting: number; oldest: number | null }>`
          select count(*) as waiting, min(created_at) as oldest
          from transactions ${indexedBy("transactions_to_reconcile")}
          where account_id = ${accountId} and environment = ${environment}
            and needs_reconciliation = 1`.execute(db);
        const { waiting = 0, oldest = null } = rows[0] ?? {};
        return {
          environment,
          subject: "",
          cause: "CASES",
          level: "SOON",
          mark: String(waiting),
          facts: { count: waiting, ...(oldest !== null && { since: toTimestamp(oldest) }) },
        } as const;
      });
      return (await Promise.all(findings)).filter(({ facts }) => facts.count > 0);
    },
  };
}
