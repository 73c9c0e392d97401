import type { PilotState } from "../../../contract/pos/pilot.ts";
import type { Db } from "../../../db/database.ts";
import { countGoodSales, findPilot, GOOD_SALES_NEEDED } from "./pilot-store.ts";

/**
 * The pilot that a shop is in, as a till may show it.
 * @param device the digest of the cookie of the till that asks
 */
export async function readPilotState(
  db: Db,
  accountId: string,
  device: string | undefined,
): Promise<PilotState | undefined> {
  const pilot = await findPilot(db, accountId);
  if (!pilot) return undefined;
  const goodSales = await countGoodSales(db, accountId, pilot.startedAt);
  if (goodSales >= GOOD_SALES_NEEDED) return undefined;
  return {
    mostPerSale: pilot.mostPerSale,
    mostPerDay: pilot.mostPerDay,
    goodSales,
    needed: GOOD_SALES_NEEDED,
    isHere: pilot.device === undefined || pilot.device === device,
    till: pilot.tillName ?? "",
    chosenBy: pilot.chosenBy ?? "",
  };
}
