import { perFamily } from "../../../contract/pos/families.ts";
import type { StoredPriceList } from "../../../contract/pos/prices.ts";

/** Before an owner saves a list: every offer at its suggested price, whatever that is. */
export const EMPTY_LIST: StoredPriceList = {
  rules: [],
  taxes: perFamily({ kind: "NONE", percent: "0" }),
  fxBufferPercent: "0",
  driftAlertPercent: "2",
};
