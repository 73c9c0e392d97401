import type { SaleLineInput, WantedLine } from "../../contract/pos/sale-lines.ts";
import type { SaleInput } from "../../contract/pos/sales.ts";
import type { TenderInput } from "../../contract/pos/tenders.ts";
import { GOODS } from "./goods.ts";
import type { Random } from "./random.ts";

/**
 * Prices of the simulation's items, in the order of the items; minor units of the shop's currency.
 */
export type Prices = readonly number[];

export function fillBasket(
  random: Random,
  prices: Prices,
  { saleId, discounts }: { saleId: string; discounts: boolean },
): SaleLineInput[] {
  return Array.from({ length: random.pick([1, 1, 1, 2, 4]) }, (_, position) => {
    const kind = random.integer(0, GOODS.length - 1);
    const price = prices[kind] ?? 0;
    return {
      ...(GOODS[kind] as WantedLine),
      transactionId: `${saleId}-${position}`,
      price,
      ...(discounts && random.chance(0.3) && { discount: random.integer(0, price) }),
    };
  });
}

export function payFor(
  random: Random,
  saleId: string,
  basket: readonly SaleLineInput[],
): SaleInput {
  const lines = [...basket];
  const total = lines.reduce((sum, { price, discount = 0 }) => sum + price - discount, 0);
  if (random.chance(0.05)) lines[0] = { ...(lines[0] as SaleLineInput), price: 1, discount: 0 };
  return { saleId, lines, tenders: tendersFor(random, total) };
}

function tendersFor(random: Random, total: number): TenderInput[] {
  if (total === 0) return [];
  const part = random.integer(1, total);
  const manner = random.weighted({ exact: 3, change: 3, card: 2, split: 2, short: 1 });
  switch (manner) {
    case "exact":
      return [{ kind: "CASH", tendered: total }];
    case "change":
      return [{ kind: "CASH", tendered: total + random.integer(1, 10_000) }];
    case "card":
      return [{ kind: "CARD", amount: total, reference: "A-17" }];
    case "split":
      return [
        { kind: "OTHER", amount: part },
        ...(part < total
          ? [{ kind: "CASH" as const, tendered: total - part + random.integer(0, 500) }]
          : []),
      ];
    case "short":
      return [{ kind: "CASH", tendered: total - part }];
  }
}
