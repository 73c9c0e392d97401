import type { Need } from "../../../contract/pos/rights.ts";
import type { CashCount, MovementInput, MovementKind } from "../../../contract/pos/shifts.ts";
import { Problem } from "../../../contract/problem.ts";

/** @throws Problem INVALID_REQUEST naming `count` when it does not come to the amount beside it. */
export function checkCount(
  amount: number | undefined,
  count: CashCount | undefined,
  amountName: string,
): void {
  if (!count) return;
  if (amount === undefined) throw invalid(amountName, "is required beside a count");
  const denominations = new Set(count.map(({ denomination }) => denomination));
  if (denominations.size < count.length) throw invalid("count", "names a denomination twice");
  const sum = count.reduce(
    (total, { denomination, quantity }) => total + denomination * quantity,
    0,
  );
  if (sum !== amount) throw invalid("count", `comes to ${sum}, not to ${amountName}`);
}

/** @throws Problem INVALID_REQUEST naming `amount` or `reason` */
export function checkMovement({ kind, amount, reason }: MovementInput): void {
  const movesCash = kind !== "NO_SALE";
  if (movesCash && amount === undefined) throw invalid("amount", "is required");
  if (!movesCash && amount !== undefined) throw invalid("amount", "is not given for NO_SALE");
  if (kind !== "DROP" && reason === undefined) throw invalid("reason", "is required");
}

/** The rights that a movement needs, beside an open shift. */
export function needsOf(kind: MovementKind): Need[] {
  if (kind === "PAY_OUT") return [{ right: "payOut" }];
  return kind === "NO_SALE" ? [{ right: "noSale" }] : [];
}

function invalid(field: string, rule: string): Problem {
  return new Problem("INVALID_REQUEST", `${field} ${rule}.`, { [field]: rule });
}
