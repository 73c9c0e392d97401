import { toTimestamp } from "../../../lib/clock.ts";
import type { CatalogService } from "../../catalog/index.ts";
import { isRateRecent } from "../../going-live/index.ts";
import { type RateDeps, readDrift } from "../../prices/index.ts";
import type { AlertSource, Finding } from "../alert-source.ts";

/** Offers that are not sold because no price covers their floor. */
export function createOfferSource({ catalog }: { catalog: CatalogService }): AlertSource {
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

/**
 * The exchange rate is older than a week, or the reference has moved away from it since it was set. A
 * reference that is older than the rate says nothing of it (rules#alert-rate).
 */
export function createRateSource(deps: RateDeps): AlertSource {
  return {
    kind: "RATE",
    async find({ accountId, selling, shop, now }): Promise<Finding[]> {
      const drift = await readDrift(deps, { accountId, environment: selling });
      if (drift.currency === drift.walletCurrency) return [];
      const { reference, rate, isAlert, driftPercent } = drift;
      const isNewer = reference !== undefined && Date.parse(reference.date) > shop.rateSetAt;
      const facts = { rate, since: toTimestamp(shop.rateSetAt) };
      const common = { environment: undefined, subject: "", level: "SOON" } as const;
      if (isNewer && isAlert) {
        const apart = { ...facts, reference: reference.rate, percent: driftPercent };
        const mark = `${rate} ${reference.rate}`;
        return [{ ...common, cause: "RATE_DRIFTED", mark, facts: apart }];
      }
      if (isRateRecent(shop.rateSetAt, now)) return [];
      return [{ ...common, cause: "RATE_OLD", mark: facts.since, facts }];
    },
  };
}
