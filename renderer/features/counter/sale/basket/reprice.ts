import type { CheckedLine } from "../../../../../server/contract/pos/sales.ts";
import type { Attempt } from "../attempt/attempt-store.ts";
import {
  type AttemptLine,
  isWithoutAmounts,
  type LineItem,
  totalOf,
} from "../attempt/line-item.ts";
import { withoutOthers } from "../tender/tender.ts";
import { withoutDiscount } from "./discounts.ts";
import type { Checks, SaleState } from "./sale-state.ts";

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
