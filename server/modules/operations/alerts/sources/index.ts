import { ALERT_KINDS, type AlertKind } from "../../../../contract/pos/alerts.ts";
import type { GoingLiveCheck } from "../../../../contract/pos/till-environment.ts";
import type { Db } from "../../../../db/database.ts";
import { DAY, toTimestamp } from "../../../../lib/clock.ts";
import type { MailService } from "../../../messages/mail/index.ts";
import type { WebhookService } from "../../../messages/webhooks/index.ts";
import { listScheduleRows } from "../../../office/shop-reports/index.ts";
import { countGuesses } from "../../../shop/staff/index.ts";
import { readTurnedRed } from "../../going-live/index.ts";
import type { AlertSource, Finding } from "../alert-source.ts";
import {
  createBackupSource,
  createClockSource,
  createDiskSource,
  createNetworkSource,
  createUpdateSource,
} from "./machine-sources.ts";
import {
  createCaseSource,
  createOfferSource,
  createRateSource,
  createRefundSource,
  createTieOutSource,
  createWalletSource,
} from "./money-sources.ts";
import { createAnswerSource, createPauseSource, createSlowSource } from "./provider-sources.ts";

const COUNTED_MS = DAY;
/**
 * Minimum number of wrong PINs. Fewer are typing mistakes. This many consecutive wrong PINs lock a
 * name.
 */
const MIN_WRONG_PINS = 5;

/** Finds wrong PINs for a name within a day. A new PIN deletes them. */
function createPinSource({ db }: { db: Db }): AlertSource<"WRONG_PINS"> {
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
function createLiveCheckSource({ db }: { db: Db }): AlertSource<"LIVE_CHECKS"> {
  return {
    kind: "LIVE_CHECKS",
    async find({ accountId }) {
      const all = await readTurnedRed(db, accountId);
      const red = all.filter(({ check }) => !HAVE_OWN_ALERT.includes(check));
      const [oldest] = red;
      if (!oldest) return [];
      const mark = red.map(({ check }) => check).join(" ");
      const facts = { count: red.length, since: toTimestamp(oldest.since) };
      const of = { environment: "live", subject: "", level: "URGENT" } as const;
      return [{ ...of, cause: "LIVE_CHECKS", mark, facts }];
    },
  };
}

/** Finds webhooks that fail, or were paused because of failures. */
function createWebhookSource({ webhooks }: { webhooks: WebhookService }): AlertSource<"WEBHOOK"> {
  return {
    kind: "WEBHOOK",
    async find({ accountId, watched }): Promise<Finding<"WEBHOOK">[]> {
      const all = await webhooks.list(accountId);
      const failing = all.filter(
        ({ environment, failingSince, pausedAt }) =>
          watched.includes(environment) && (failingSince !== undefined || pausedAt !== undefined),
      );
      return failing.map(({ webhookId, environment, url, failingSince, pausedAt, waiting }) => {
        const cause = pausedAt === undefined ? "WEBHOOK_FAILING" : "WEBHOOK_PAUSED";
        const since = failingSince ?? pausedAt;
        const facts = { name: new URL(url).host, count: waiting, ...(since && { since }) };
        return { environment, subject: webhookId, cause, level: "SOON", mark: cause, facts };
      });
    },
  };
}

function createReportSource({ db }: { db: Db }): AlertSource<"REPORT"> {
  return {
    kind: "REPORT",
    async find({ accountId, watched }): Promise<Finding<"REPORT">[]> {
      const found: Finding<"REPORT">[] = [];
      for (const environment of watched) {
        for (const schedule of await listScheduleRows(db, { accountId, environment })) {
          const { scheduleId, input, fault } = schedule;
          if (fault === undefined) continue;
          const facts = { name: input.name, reason: fault };
          const what = { environment, subject: scheduleId, cause: "REPORT", mark: fault } as const;
          found.push({ ...what, level: "SOON", facts });
        }
      }
      return found;
    },
  };
}

/** Finds undeliverable mail. This alert itself is not mailed. */
function createMailSource({ mail }: { mail: MailService }): AlertSource<"MAIL"> {
  return {
    kind: "MAIL",
    async find({ accountId }): Promise<Finding<"MAIL">[]> {
      const stuck = await mail.findStuck(accountId);
      if (!stuck) return [];
      const { fault, since, waiting } = stuck;
      const facts = { reason: fault, since, count: waiting };
      const what = { environment: undefined, subject: "", cause: "MAIL", mark: "MAIL" } as const;
      return [{ ...what, level: "SOON", facts }];
    },
  };
}

export type SourceDeps = Parameters<typeof createWalletSource>[0] &
  Parameters<typeof createTieOutSource>[0] &
  Parameters<typeof createPauseSource>[0] &
  Parameters<typeof createRateSource>[0] &
  Parameters<typeof createBackupSource>[0] &
  Parameters<typeof createClockSource>[0] &
  Parameters<typeof createWebhookSource>[0] &
  Parameters<typeof createMailSource>[0] &
  Parameters<typeof createNetworkSource>[0] &
  Parameters<typeof createUpdateSource>[0] &
  Parameters<typeof createDiskSource>[0];

/** Creates a source for every kind, as the type requires. */
export function createSources(deps: SourceDeps): AlertSource[] {
  const sources: { [Kind in AlertKind]: AlertSource<Kind> } = {
    WALLET: createWalletSource(deps),
    TIE_OUT: createTieOutSource(deps),
    CASES: createCaseSource(deps),
    REFUNDS: createRefundSource(deps),
    PROVIDER_SLOW: createSlowSource(deps),
    BRAND_PAUSED: createPauseSource(deps),
    PROVIDER_ANSWERS: createAnswerSource(deps),
    OFFERS_BLOCKED: createOfferSource(deps),
    RATE: createRateSource(deps),
    LIVE_CHECKS: createLiveCheckSource(deps),
    BACKUP: createBackupSource(deps),
    DISK: createDiskSource(deps),
    CLOCK: createClockSource(deps),
    WEBHOOK: createWebhookSource(deps),
    WRONG_PINS: createPinSource(deps),
    REPORT: createReportSource(deps),
    MAIL: createMailSource(deps),
    UPDATE: createUpdateSource(deps),
    NETWORK: createNetworkSource(deps),
  };
  return ALERT_KINDS.map((kind) => {
    const source = sources[kind];
    if (source.kind === kind) return source;
    throw new RangeError(`the source of ${kind} alerts has the kind ${source.kind}`);
  });
}
