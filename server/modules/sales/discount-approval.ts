import type { DiscountInput, SaleLineInput } from "../../contract/pos/sale-lines.ts";
import type { StaffName } from "../../contract/pos/staff.ts";
import type { Tx } from "../../db/database.ts";
import { requireRights, spendApproval } from "../staff/index.ts";
import { discountPctOf, type Seller } from "./sale-rights.ts";

/** A discount on one line, as it is approved before the sale is paid: that much off that price. */
function deedOf({ saleId, transactionId, offerId, price, discount }: DiscountInput, at: number) {
  return {
    needs: [{ right: "discountPct" as const, asked: discountPctOf({ price, discount }) }],
    subject: saleId,
    request: { saleId, transactionId, offerId, price, discount },
    at,
  };
}

/** @throws Problem APPROVAL_REQUIRED where the seller may not give it by themselves */
export async function requireDiscount(
  tx: Tx,
  seller: Seller,
  input: DiscountInput,
  at: number,
): Promise<void> {
  await requireRights(tx, seller, { ...deedOf(input, at), approvalId: undefined });
}

/**
 * Uses up the approvals that discounts of a sale name, as far as they are good for them; what is not
 * approved so takes the seller's own right, or an approval of the whole sale.
 * @returns who approved, by transaction id
 */
export async function spendDiscountApprovals(
  tx: Tx,
  seller: Seller,
  sale: { saleId: string; lines: readonly SaleLineInput[]; at: number },
): Promise<ReadonlyMap<string, StaffName>> {
  const approved = new Map<string, StaffName>();
  for (const { transactionId, offerId, price, discount = 0, discountApprovalId } of sale.lines) {
    if (discount === 0 || discountApprovalId === undefined) continue;
    const line = { saleId: sale.saleId, transactionId, offerId, price, discount };
    const deed = { ...deedOf(line, sale.at), approvalId: discountApprovalId };
    const approver = await spendApproval(tx, seller, deed);
    if (approver) approved.set(transactionId, approver);
  }
  return approved;
}
