import type { CatalogDifference } from "../../contract/pos/waiting-catalog.ts";
import type { Scope } from "../../db/changes.ts";
import { CatalogRefused, type CatalogUpdateService, describeDifference } from "../catalog/index.ts";
import type { FetchedCatalog } from "./catalog-fetching.ts";
import { describeNotes, type LeftOutItem, leaveOut, ROUNDS } from "./left-out.ts";

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
  { fetched, country }: { fetched: FetchedCatalog; country: string },
): Promise<CatalogDifference> {
  const { catalog } = fetched;
  const leftOut: LeftOutItem[] = [];
  for (let round = 1; ; round++) {
    try {
      const compared = await catalogUpdates.compare(scope, catalog);
      return {
        ...describeDifference(compared, catalog, { country }),
        ...describeNotes(leftOut, fetched),
      };
    } catch (error) {
      if (!(error instanceof CatalogRefused) || round === ROUNDS) throw error;
      leftOut.push(...leaveOut(catalog, error.faults));
    }
  }
}
