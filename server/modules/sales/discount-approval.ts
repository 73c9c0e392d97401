import type { Actor } from "../../contract/pos/actor.ts";
import type { Need } from "../../contract/pos/approvals.ts";
import type { DiscountInput, SaleLineInput } from "../../contract/pos/sale-lines.ts";
import type { StaffName } from "../../contract/pos/staff.ts";
import type { Tx } from "../../db/database.ts";
import { requireRights, spendApproval } from "../staff/index.ts";
import { discountPctOf } from "./sale-rights.ts";

/** A discount, and whether it takes its line below what the wallet pays. */
type Judged = DiscountInput & { product: string; belowCost: boolean };

/** A discount on one line, as it is approved before the sale is paid: that much off that price. */
function actionOf({ product, belowCost, ...discount }: Judged, at: number) {
  const { saleId, transactionId, offerId, value, price } = discount;
  const asked = discountPctOf(discount);
  const needs: Need[] = [
    { right: "discountPct", asked },
    ...(belowCost ? [{ right: "belowCost" as const }] : []),
  ];
  return {
    needs,
    subject: saleId,
    request: { saleId, transactionId, offerId, value, price, discount: discount.discount },
    facts: { product, price, discount: discount.discount },
    at,
  };
}

/** @throws Problem APPROVAL_REQUIRED where the seller may not give it by themselves */
export async function requireDiscount(
  tx: Tx,
  seller: Actor,
  judged: Judged,
  at: number,
): Promise<void> {
  await requireRights(tx, seller, { ...actionOf(judged, at), approvalId: undefined });
}

/**
 * Uses up the approvals that a sale's discounts name, as far as they fit; a discount without one takes
 * the seller's own right, or an approval of the whole sale.
 * @param belowCost transaction ids of the lines that are sold for less than the wallet pays
 * @returns who approved, by transaction id
 */
export async function spendDiscountApprovals(
  tx: Tx,
  seller: Actor,
  sale: {
    saleId: string;
    lines: readonly SaleLineInput[];
    /** By transaction id, what is sold. */
    products: ReadonlyMap<string, string>;
    belowCost: ReadonlySet<string>;
    at: number;
  },
): Promise<ReadonlyMap<string, StaffName>> {
  const approved = new Map<string, StaffName>();
  for (const line of sale.lines) {
    const { transactionId, offerId, value, price, discount = 0, discountApprovalId } = line;
    if (discount === 0 || discountApprovalId === undefined) continue;
    const given = { saleId: sale.saleId, transactionId, offerId, price, discount };
    const belowCost = sale.belowCost.has(transactionId);
    const product = sale.products.get(transactionId) ?? offerId;
    const judged = { ...given, ...(value && { value }), product, belowCost };
    const action = { ...actionOf(judged, sale.at), approvalId: discountApprovalId };
    const approver = await spendApproval(tx, seller, action);
    if (approver) approved.set(transactionId, approver);
  }
  return approved;
}
