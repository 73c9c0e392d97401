import type { Actor } from "../../../contract/pos/actor.ts";
import type { ConfirmNumber, NumberCheck } from "../../../contract/pos/number-check.ts";
import type { SaleLineInput, WantedLine } from "../../../contract/pos/sale-lines.ts";
import { Problem } from "../../../contract/problem.ts";
import type { Db, Tx } from "../../../db/database.ts";
import { recordAudit } from "../../books/audit-trail/index.ts";
import { canonicalNumber } from "../../catalog/phone-lookup/index.ts";
import { linesWithSales, type SalesScope } from "./sale-store.ts";

/** Returns whether the customer confirmed the line's number at the till's display. */
export type IsConfirmed = (line: { transactionId: string; number: string }) => boolean;

interface CheckedNumber {
  readonly transactionId: string;
  readonly number: string;
  readonly by: NumberCheck;
}

export async function asksNumber(
  db: Db | Tx,
  scope: SalesScope,
  wanted: ConfirmNumber,
  line: Pick<WantedLine, "productType" | "recipientPhoneNumber">,
): Promise<boolean> {
  const { productType, recipientPhoneNumber: number } = line;
  if (wanted === "NEVER" || productType !== "TOPUP" || number === undefined) return false;
  if (wanted === "ALWAYS") return true;
  const sold = await linesWithSales(db, scope)
    .select("l.sale_id")
    .where("l.product_type", "=", productType)
    .where("l.recipient", "in", [number, canonicalNumber(number)])
    .limit(1)
    .executeTakeFirst();
  return sold === undefined;
}

/**
 * Requires a confirmation of each number. A customer's confirmation counts only if this till's
 * display received it. A confirmation that this process does not know, for example after a restart,
 * counts as the clerk's (rules#counter-number-confirmed).
 * @throws Problem NUMBER_NOT_CONFIRMED naming the line, if the request does not name the confirming
 * person
 */
export async function checkNumbers(
  tx: Tx,
  seller: Actor,
  lines: readonly SaleLineInput[],
  { wanted, isConfirmed }: { wanted: ConfirmNumber; isConfirmed?: IsConfirmed },
): Promise<CheckedNumber[]> {
  const checked: CheckedNumber[] = [];
  for (const [index, line] of lines.entries()) {
    if (!(await asksNumber(tx, seller, wanted, line))) continue;
    const { transactionId, recipientPhoneNumber: number = "", numberCheck } = line;
    if (numberCheck === undefined) {
      throw new Problem("NUMBER_NOT_CONFIRMED", "The customer has not confirmed the number.", {
        [`lines.${index}.numberCheck`]: "must be CUSTOMER, or CLERK to go on without",
      });
    }
    const isCustomers = numberCheck === "CUSTOMER" && isConfirmed?.({ transactionId, number });
    const by = isCustomers ? "CUSTOMER" : "CLERK";
    checked.push({ transactionId, number: canonicalNumber(number), by });
  }
  return checked;
}

/** Records in the audit trail the numbers that only the clerk confirmed. */
export async function recordNumberChecks(
  tx: Tx,
  { accountId, environment, staffId }: Actor,
  { saleId, checked, at }: { saleId: string; checked: readonly CheckedNumber[]; at: number },
): Promise<void> {
  const numbers = checked.filter(({ by }) => by === "CLERK").map(({ number }) => number);
  if (numbers.length === 0) return;
  const action = "sale.number-unconfirmed";
  const detail = { number: numbers.join(", "), environment };
  await recordAudit(tx, { accountId, staffId, action, subject: saleId, detail, at });
}
