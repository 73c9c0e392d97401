import type { Attempt } from "../attempt/attempt-store.ts";
import type { AttemptLine } from "../attempt/line-item.ts";
import { withoutOthers } from "../tender/tender.ts";
import type { GivenDiscount, SaleEvent, SaleState } from "./sale-state.ts";

export function withoutDiscount(line: AttemptLine): AttemptLine {
  const { discount: _, discountApprovalId: __, belowCost: ___, ...plain } = line;
  return plain;
}

/** Sets a line's discount. Removes the recorded tenders, because the total changes. */
export function discounted(
  state: SaleState,
  attempt: Attempt,
  { transactionId, discount }: GivenDiscount,
): SaleState {
  const lines = attempt.lines.map((line) => {
    const plain = withoutDiscount(line);
    const most = Math.min(Math.max(0, discount), line.item.price);
    if (line.transactionId !== transactionId) {
      return line;
    }
    return most > 0 ? { ...plain, discount: most } : plain;
  });
  return {
    ...state,
    attempt: { ...attempt, lines },
    entry: undefined,
    tender: withoutOthers(state.tender),
  };
}

type Approved = Extract<SaleEvent, { readonly type: "discount-approved" }>;
type Refused = Extract<SaleEvent, { readonly type: "discount-refused" }>;

/**
 * Returns whether the line still has this discount, which the clerk may change during the approval.
 */
function hasDiscount({ lines }: Attempt, { transactionId, discount }: GivenDiscount): boolean {
  return lines.some(
    (line) => line.transactionId === transactionId && (line.discount ?? 0) === discount,
  );
}

export function discountApproved(state: SaleState, attempt: Attempt, event: Approved): SaleState {
  const { transactionId, approvalId, belowCost } = event;
  const told = {
    ...(approvalId !== undefined && { discountApprovalId: approvalId }),
    ...(belowCost && { belowCost }),
  };
  if (Object.keys(told).length === 0 || !hasDiscount(attempt, event)) {
    return state;
  }
  const lines = attempt.lines.map((line) =>
    line.transactionId === transactionId ? { ...line, ...told } : line,
  );
  return { ...state, attempt: { ...attempt, lines } };
}

export function discountRefused(state: SaleState, attempt: Attempt, event: Refused): SaleState {
  const { transactionId, error } = event;
  return hasDiscount(attempt, event)
    ? { ...discounted(state, attempt, { transactionId, discount: 0 }), error }
    : state;
}
