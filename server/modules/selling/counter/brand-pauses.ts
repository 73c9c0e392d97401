import type { PosBrand } from "../../../contract/pos/brands.ts";
import type { Scope } from "../../../db/changes.ts";
import type { Db } from "../../../db/database.ts";
import { toTimestamp } from "../../../lib/clock.ts";
import { listPausedBrands } from "../../purchases/purchases/index.ts";

type Pause = Pick<PosBrand, "pausedSince" | "pausedByHand">;

/** The pauses of brands as the till shows them, by code. */
export async function findPauses(db: Db, scope: Scope): Promise<ReadonlyMap<string, Pause>> {
  const states = await listPausedBrands(db, scope);
  return new Map(
    states.map(({ brand, pausedSince, pausedByHand }) => [
      brand,
      { pausedSince: toTimestamp(pausedSince), ...(pausedByHand && { pausedByHand }) },
    ]),
  );
}
