import type { CheckedLine } from "../../../../../server/contract/pos/sales.ts";
import type { Attempt } from "../attempt/attempt-store.ts";
import {
  type AttemptLine,
  isWithoutAmounts,
  type LineItem,
  totalOf,
} from "../attempt/line-item.ts";
import { withoutOthers } from "../tender/tender.ts";
import type { Checks, GivenDiscount, SaleEvent, SaleState } from "./sale-state.ts";

/**
 * Adopts the checked prices and delivered amounts. The clerk sees a changed amount before the
 * payment.
 */
export function checked(state: SaleState, attempt: Attempt, checks: Checks): SaleState {
  const lines = attempt.lines.map((line) => withAmounts(line, checks.get(line.transactionId)));
  const isSame = lines.every((line, index) => line === attempt.lines[index]);
  return isSame ? state : repriced(state, attempt, lines);
}

function withAmounts(line: AttemptLine, known: CheckedLine | undefined): AttemptLine {
  const { price, send, sendCurrency, sendCurrencyDivisor } = known ?? {};
  const { item } = line;
  if (price === undefined) {
    return line;
  }
  const isDelivered = item.send !== undefined || isWithoutAmounts(item);
  const isSent = isDelivered && send !== undefined && sendCurrency && sendCurrencyDivisor;
  const sent = isSent && send !== item.send ? { send, sendCurrency, sendCurrencyDivisor } : {};
  return "send" in sent || price !== item.price ? atPrice(line, { ...item, ...sent }, price) : line;
}

/** Sets a line's price. A new price removes the discount, which applied to the earlier price. */
export function atPrice(line: AttemptLine, item: LineItem, price: number): AttemptLine {
  const kept = price === line.item.price ? line : withoutDiscount(line);
  return { ...kept, item: { ...item, price } };
}

/**
 * Removes the recorded tenders and a payment typed ahead, because the total changes. Each new price
 * and delivered amount is compared with the one that the customer was told first.
 */
export function repriced(
  state: SaleState,
  attempt: Attempt,
  lines: readonly AttemptLine[],
): SaleState {
  const toldFirst = (key: "price" | "send", told: Readonly<Record<string, number>>) =>
    Object.fromEntries(
      lines.flatMap(({ transactionId, item }, index) => {
        const first = told[transactionId] ?? attempt.lines[index]?.item[key];
        return first === undefined || first === item[key] ? [] : [[transactionId, first]];
      }),
    );
  const isSameTotal = totalOf(lines) === totalOf(attempt.lines);
  return {
    ...state,
    attempt: { ...attempt, lines },
    moved: toldFirst("price", state.moved),
    movedSends: toldFirst("send", state.movedSends),
    tender: isSameTotal ? state.tender : withoutOthers(state.tender),
    paysAfter: isSameTotal && state.paysAfter,
  };
}

export function hasMoved(lines: readonly AttemptLine[], checks: Checks): boolean {
  return lines.some(({ transactionId, item }) => {
    const { price = item.price, send = item.send } = checks.get(transactionId) ?? {};
    return price !== item.price || (item.send !== undefined && send !== item.send);
  });
}

function withoutDiscount(line: AttemptLine): AttemptLine {
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
