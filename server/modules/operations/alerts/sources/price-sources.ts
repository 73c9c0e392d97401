import { DAY, toTimestamp } from "../../../../lib/clock.ts";
import type { CatalogService } from "../../../catalog/catalog/index.ts";
import { type RateDeps, readDrift } from "../../../catalog/prices/index.ts";
import { isRateRecent } from "../../going-live/index.ts";
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

/** A reference that is older says nothing of a rate that was set since. */
const REFERENCE_COUNTS_MS = 30 * DAY;

/** The exchange rate is older than a week, or farther from the reference than the price list allows. */
export function createRateSource(deps: RateDeps): AlertSource {
  return {
    kind: "RATE",
    async find({ accountId, selling, shop, now }): Promise<Finding[]> {
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
