import { readFreeBytes } from "../../going-live/index.ts";
import type { AlertSource } from "../alert-source.ts";
import { createMailSource, createReportSource, createWebhookSource } from "./delivery-sources.ts";
import { createLiveCheckSource } from "./live-check-source.ts";
import { createBackupSource, createDiskSource } from "./machine-sources.ts";
import { createCaseSource, createRefundSource, createTieOutSource } from "./money-sources.ts";
import { createNetworkSource } from "./network-source.ts";
import { createPinSource } from "./people-source.ts";
import { createOfferSource, createRateSource } from "./price-sources.ts";
import { createAnswerSource, createPauseSource, createSlowSource } from "./provider-sources.ts";
import { createUpdateSource } from "./update-source.ts";
import { createWalletSource } from "./wallet-source.ts";

export type SourceDeps = Parameters<typeof createWalletSource>[0] &
  Parameters<typeof createTieOutSource>[0] &
  Parameters<typeof createPauseSource>[0] &
  Parameters<typeof createRateSource>[0] &
  Parameters<typeof createBackupSource>[0] &
  Parameters<typeof createWebhookSource>[0] &
  Parameters<typeof createMailSource>[0] &
  Parameters<typeof createNetworkSource>[0] &
  Parameters<typeof createUpdateSource>[0] & {
    config: { dataDir: string };
    /** The disk itself is asked where nothing else is given. */
    readFreeBytes?: () => Promise<number | undefined>;
  };

/** Everything that is watched. */
export function createSources(deps: SourceDeps): AlertSource[] {
  const readFree = deps.readFreeBytes ?? (() => readFreeBytes(deps.config.dataDir));
  return [
    createWalletSource(deps),
    createTieOutSource(deps),
    createCaseSource(deps),
    createRefundSource(deps),
    createSlowSource(deps),
    createPauseSource(deps),
    createAnswerSource(deps),
    createOfferSource(deps),
    createRateSource(deps),
    createLiveCheckSource(deps),
    createBackupSource(deps),
    createDiskSource({ readFreeBytes: readFree }),
    createWebhookSource(deps),
    createPinSource(deps),
    createReportSource(deps),
    createMailSource(deps),
    createUpdateSource(deps),
    createNetworkSource(deps),
  ];
}
