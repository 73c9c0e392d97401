import type { Sale } from "../../../../../server/contract/pos/sales.ts";
import type { ShopTender } from "../../../../../server/contract/pos/shop-tenders.ts";
import { changeOf, sharesOf } from "../../../../../server/contract/pos/tenders.ts";
import { namedNow } from "../../../../lib/tender-name.ts";
import type { ConfirmedAttempt } from "./attempt-store.ts";
import { totalOf } from "./line-item.ts";

/**
 * Calculates the payments and the change: cash pays the rest after other tenders, and only cash
 * gives change.
 * @param shop payment methods of the shop, for their names
 */
export function sumsOfAttempt(
  { lines, input }: Pick<ConfirmedAttempt, "lines" | "input">,
  shop: readonly ShopTender[] = [],
): Pick<Sale, "total" | "cashRounding" | "tenders" | "change"> {
  const total = totalOf(lines);
  const { cashRounding = 0 } = input;
  const tenders = sharesOf(total, input.tenders, cashRounding).map((one) => namedNow(one, shop));
  return { total, cashRounding, tenders, change: Math.max(0, changeOf(tenders)) };
}
