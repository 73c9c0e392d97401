import { sql } from "kysely";
import { dateOf } from "../../../../contract/pos/shop-day.ts";
import type { WalletOverview } from "../../../../contract/pos/wallet-office.ts";
import type { Db } from "../../../../db/database.ts";
import { indexedBy } from "../../../../db/engine-words.ts";
import { DAY, MINUTE, toTimestamp } from "../../../../lib/clock.ts";
import type { CatalogService } from "../../../catalog/catalog/index.ts";
import { type RateDeps, readDrift } from "../../../catalog/prices/index.ts";
import { type MoneyService, readRefundsDue } from "../../../office/figures/index.ts";
import type { WalletOfficeService } from "../../../office/wallet-office/index.ts";
import { isRateRecent } from "../../going-live/index.ts";
import type { AlertSource, Finding } from "../alert-source.ts";
import type { StoredAlert } from "../alert-store.ts";

/** Factor between the thresholds for opening and resolving an alert. */
const RESOLVE_FACTOR = 1.2;

/**
 * Finds a wallet that is empty, or low by the owner's amount or hours (rules#alert-wallet). The
 * alert resolves a fifth above the limit, so that a fluctuating balance is reported once.
 */
export function createWalletSource(deps: {
  walletOffice: WalletOfficeService;
}): AlertSource<"WALLET"> {
  return {
    kind: "WALLET",
    async find({ accountId, selling, open }) {
      const wallet = await deps.walletOffice.view({ accountId, environment: selling });
      const before = open.find(({ environment }) => environment === selling);
      const cause = findCause(wallet, before);
      return cause ? [describe(wallet, cause)] : [];
    },
  };
}

type Cause = Extract<StoredAlert["cause"], `WALLET_${string}`>;

function findCause(wallet: WalletOverview, before: StoredAlert | undefined): Cause | undefined {
  const { available, hoursLeft = Number.POSITIVE_INFINITY, alert, low } = wallet;
  const { lowAmount = 0, lowHours = 0 } = alert;
  if (low.includes("EMPTY")) return "WALLET_EMPTY";
  if (low.includes("AMOUNT")) return "WALLET_UNDER_AMOUNT";
  if (low.includes("HOURS")) return "WALLET_UNDER_HOURS";
  if (!before?.mark.endsWith(toLimitsMark(wallet))) return undefined;
  if (available < lowAmount * RESOLVE_FACTOR) return "WALLET_UNDER_AMOUNT";
  return hoursLeft < lowHours * RESOLVE_FACTOR ? "WALLET_UNDER_HOURS" : undefined;
}

/** A change of the owner's limits reopens the alert. */
function toLimitsMark({ alert: { lowAmount = 0, lowHours = 0 } }: WalletOverview): string {
  return `${lowAmount} ${lowHours}`;
}

function describe(wallet: WalletOverview, cause: Cause): Finding<"WALLET"> {
  const { environment, available, currency, currencyDivisor, hoursLeft, alert } = wallet;
  const isEmpty = cause === "WALLET_EMPTY";
  return {
    environment,
    subject: "",
    cause,
    level: isEmpty ? "URGENT" : "SOON",
    mark: `${isEmpty ? "EMPTY" : "LOW"} ${toLimitsMark(wallet)}`,
    facts: {
      amount: available,
      currency,
      currencyDivisor,
      ...(alert.lowAmount !== undefined && { limit: alert.lowAmount }),
      ...(hoursLeft !== undefined && { hours: Math.floor(hoursLeft) }),
    },
  };
}

export function createOfferSource({
  catalog,
}: {
  catalog: CatalogService;
}): AlertSource<"OFFERS_BLOCKED"> {
  return {
    kind: "OFFERS_BLOCKED",
    async find({ accountId, selling }) {
      const { blocked } = await catalog.getSnapshot({ accountId, environment: selling });
      if (blocked === 0) return [];
      return [
        {
          environment: selling,
          subject: "",
          cause: "OFFERS_BLOCKED",
          level: "SOON",
          mark: String(blocked),
          facts: { count: blocked },
        },
      ];
    },
  };
}

/** Maximum age at which a reference rate counts if it is older than the shop's rate. */
const REFERENCE_COUNTS_MS = 30 * DAY;

/**
 * Finds a rate that is older than a week, or farther from the reference than the price list allows.
 */
export function createRateSource(deps: RateDeps): AlertSource<"RATE"> {
  return {
    kind: "RATE",
    async find({ accountId, selling, shop, now }): Promise<Finding<"RATE">[]> {
      const drift = await readDrift(deps, { accountId, environment: selling });
      if (drift.currency === drift.walletCurrency) return [];
      const { reference, rate, isAlert, driftPercent } = drift;
      const referenceAt = reference === undefined ? 0 : Date.parse(reference.date);
      const isTelling =
        referenceAt > shop.rateSetAt || Math.abs(now - referenceAt) <= REFERENCE_COUNTS_MS;
      const facts = { rate, since: toTimestamp(shop.rateSetAt) };
      const common = { environment: undefined, subject: "", level: "SOON" } as const;
      if (reference && isTelling && isAlert) {
        const apart = { ...facts, reference: reference.rate, percent: driftPercent };
        const mark = `${rate} ${reference.rate}`;
        return [{ ...common, cause: "RATE_DRIFTED", mark, facts: apart }];
      }
      if (isRateRecent(shop.rateSetAt, now)) return [];
      return [{ ...common, cause: "RATE_OLD", mark: facts.since, facts }];
    },
  };
}

/** Interval of checks, which sum a whole day. */
const TIE_OUT_EVERY_MS = 10 * MINUTE;

/** Compares today's wallet spending with the cost of today's sales (rules#figure-tie-out). */
export function createTieOutSource(deps: { figureMoney: MoneyService }): AlertSource<"TIE_OUT"> {
  return {
    kind: "TIE_OUT",
    every_ms: TIE_OUT_EVERY_MS,
    async find({ accountId, selling, shop, now }) {
      const today = toTimestamp(dateOf(now, shop) * DAY).slice(0, 10);
      const scope = { accountId, environment: selling };
      const { tieOut } = await deps.figureMoney.view(scope, { firstDay: today, lastDay: today });
      const { difference, currency, currencyDivisor } = tieOut;
      if (difference === 0) return [];
      const facts = { amount: difference, currency, currencyDivisor };
      const of = { environment: selling, subject: "", level: "URGENT" } as const;
      return [{ ...of, cause: "TIE_OUT", mark: String(difference), facts }];
    },
  };
}

export function createRefundSource({ db }: { db: Db }): AlertSource<"REFUNDS"> {
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

/** Finds failed transactions that the provider may have executed. */
export function createCaseSource({ db }: { db: Db }): AlertSource<"CASES"> {
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
