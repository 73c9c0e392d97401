import type { CatalogDifference } from "../../contract/pos/waiting-catalog.ts";
import type { Scope } from "../../db/changes.ts";
import { CatalogRefused, type CatalogUpdateService, describeDifference } from "../catalog/index.ts";
import type { UpstreamCatalog } from "./catalog-reading.ts";
import { LEFT_OUT_SHOWN, leaveOut, ROUNDS } from "./left-out.ts";

interface Deps {
  catalogUpdates: CatalogUpdateService;
}

/**
 * How a catalog differs from the one in use. What cannot be sold is taken out of it, as when it is taken.
 * @param country the shop's own; empty where nobody knows
 * @throws CatalogRefused where it cannot be taken at all
 */
export async function differenceOf(
  { catalogUpdates }: Deps,
  scope: Scope,
  { catalog, country }: { catalog: UpstreamCatalog; country: string },
): Promise<CatalogDifference> {
  const leftOut: string[] = [];
  for (let round = 1; ; round++) {
    try {
      const compared = await catalogUpdates.compare(scope, catalog);
      const shown = leftOut.slice(0, LEFT_OUT_SHOWN);
      const described = describeDifference(compared, catalog, { country, leftOut: shown });
      return { ...described, leftOutCount: leftOut.length };
    } catch (error) {
      if (!(error instanceof CatalogRefused) || round === ROUNDS) throw error;
      leftOut.push(...leaveOut(catalog, error.faults));
    }
  }
}
