import { ALERT_KINDS, type AlertKind } from "../../../../contract/pos/alerts.ts";
import type { AlertSource } from "../alert-source.ts";
import { createMailSource, createReportSource, createWebhookSource } from "./delivery-sources.ts";
import { createLiveCheckSource } from "./live-check-source.ts";
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
import { createPinSource } from "./people-source.ts";
import { createAnswerSource, createPauseSource, createSlowSource } from "./provider-sources.ts";

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
