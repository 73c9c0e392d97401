import type { Db } from "../../../db/database.ts";
import { readTenders } from "./shop-tender-store.ts";

/** The ids of the tenders that open the drawer, as the shop has them now. */
export async function readOpeningTenders(db: Db, accountId: string): Promise<ReadonlySet<string>> {
  const { list } = await readTenders(db, accountId);
  return new Set(list.filter((tender) => tender.opensDrawer).map(({ tenderId }) => tenderId));
}
