import type { CheckedLine } from "../../../../../server/contract/pos/sales.ts";
import type { Attempt } from "../attempt/attempt-store.ts";
import {
  type AttemptLine,
  isWithoutAmounts,
  type LineItem,
  totalOf,
} from "../attempt/line-item.ts";
import { NO_TENDER } from "../tender/tender.ts";
import { withoutDiscount } from "./discounts.ts";
import type { Checks, SaleState } from "./sale-state.ts";

/** The exact amounts of each line; a price that moved is shown before payment is asked for. */
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
  const isUnpriced = isWithoutAmounts(item);
  const sent =
    isUnpriced && send !== undefined && sendCurrency && sendCurrencyDivisor
      ? { send, sendCurrency, sendCurrencyDivisor }
      : {};
  return isUnpriced || price !== item.price ? atPrice(line, { ...item, ...sent }, price) : line;
}

/** A discount was given on the price that the customer was told. */
export function atPrice(line: AttemptLine, item: LineItem, price: number): AttemptLine {
  const kept = price === line.item.price ? line : withoutDiscount(line);
  return { ...kept, item: { ...item, price } };
}

/** Tenders were for another total; a new price is compared with the one that was told first. */
export function repriced(
  state: SaleState,
  attempt: Attempt,
  lines: readonly AttemptLine[],
): SaleState {
  const moved = Object.fromEntries(
    lines.flatMap(({ transactionId, item }, index) => {
      const told = state.moved[transactionId] ?? attempt.lines[index]?.item.price ?? item.price;
      return told === item.price ? [] : [[transactionId, told]];
    }),
  );
  const isSameTotal = totalOf(lines) === totalOf(attempt.lines);
  return {
    ...state,
    attempt: { ...attempt, lines },
    moved,
    tender: isSameTotal ? state.tender : NO_TENDER,
  };
}

/** Whether any of these prices differs from what the customer was told. */
export function hasMoved(lines: readonly AttemptLine[], checks: Checks): boolean {
  return lines.some(({ transactionId, item }) => {
    const price = checks.get(transactionId)?.price;
    return price !== undefined && price !== item.price;
  });
}
