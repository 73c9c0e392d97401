import type { TransactionError } from "../../../contract/v1/purchase-record.ts";
import type { Db } from "../../../db/database.ts";
import { findEsim, isEsimGone } from "../esims/index.ts";
import { failure } from "./decision.ts";
import type { StoredPurchase } from "./purchase-store.ts";

/** Returns why the provider cannot add a plan to the eSIM that the purchase names. */
export async function findEsimObstacle(
  db: Db,
  { transaction, extras, supply }: StoredPurchase,
): Promise<TransactionError | undefined> {
  const { iccid } = extras;
  if (iccid === undefined) return undefined;
  const esim = await findEsim(db, transaction, iccid);
  if (!esim) return failure("ICCID_NOT_FOUND", `There is no eSIM ${iccid}.`);
  if (esim.providerId !== supply?.providerId) {
    return failure("ICCID_NOT_FOUND", `The eSIM ${iccid} belongs to another provider.`);
  }
  if (await isEsimGone(db, transaction, esim)) {
    return failure("ICCID_NOT_FOUND", `The eSIM ${iccid} was refunded: it takes no plan.`);
  }
  return undefined;
}
