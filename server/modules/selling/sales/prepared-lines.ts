import type { DiscountInput, SaleLineInput } from "../../../contract/pos/sale-lines.ts";
import { Problem } from "../../../contract/problem.ts";
import type { Scope } from "../../../db/changes.ts";
import type { CatalogService } from "../../catalog/catalog/index.ts";
import { type PricedOffer, priceAtCounter } from "../../catalog/counter-catalog/index.ts";
import type { PricesInForce } from "../../catalog/prices/index.ts";
import type { PreparedLine } from "./sale-rights.ts";
import { getRecipient, type LineDeps, ofLine, prepareLine } from "./wanted-line.ts";

/**
 * Checks and prices the lines of a sale. Writes nothing.
 * @throws Problem PRICE_CHANGED with the present prices, INVALID_REQUEST, and the errors of a
 * purchase, naming the line
 */
export async function prepareLines(
  deps: LineDeps,
  scope: Scope,
  lines: readonly SaleLineInput[],
): Promise<PreparedLine[]> {
  const prepared: PreparedLine[] = [];
  const changed: { field: string; current: number }[] = [];
  for (const [index, line] of lines.entries()) {
    const { transactionId, productType, price, discount = 0 } = line;
    const purchase = await ofLine(index, () => prepareLine(deps, scope, line));
    const current = purchase.quote.priceBase + purchase.quote.priceFee;
    if (current !== price) changed.push({ field: `lines.${index}.price`, current });
    if (discount > price) {
      throw new Problem("INVALID_REQUEST", "A discount is more than its price.", {
        [`lines.${index}.discount`]: `must not be more than ${price}`,
      });
    }
    const recipient = getRecipient(line, purchase);
    prepared.push({ purchase, sold: { transactionId, productType, recipient, price, discount } });
  }
  const [first] = changed;
  if (!first) return prepared;
  throw new Problem("PRICE_CHANGED", "The price has changed since it was shown.", {
    ...Object.fromEntries(changed.map(({ field, current }) => [field, `is ${current} now`])),
    ...Object.fromEntries(changed.map(({ field, current }) => [`${field}Now`, String(current)])),
    price: String(first.current),
  });
}

/**
 * Adds the present prices to the refusal if the last guard finds a price below its floor. The till
 * can repeat the sale with these prices.
 * @param prepareAgain throws PRICE_CHANGED with the present prices
 */
export async function withPresentPrices<T>(
  prepareAgain: () => Promise<unknown>,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Problem && GUARDED.has(error.errorCode)) await prepareAgain();
    throw error;
  }
}

/** Errors of the last guard (rules#price-last-guard). */
const GUARDED: ReadonlySet<string> = new Set(["PRICE_CHANGED", "VALUE_OUT_OF_RANGE"]);

export async function findPriced(
  catalog: CatalogService,
  scope: Scope,
  { offerId, value }: DiscountInput,
): Promise<PricedOffer | undefined> {
  try {
    const offer = await catalog.getAnyOfferForSale(scope, offerId);
    return priceAtCounter(await catalog.getSnapshot(scope), offer, value);
  } catch (error) {
    if (error instanceof Problem) return undefined;
    throw error;
  }
}

export function findBelowCost(
  lines: readonly PreparedLine[],
  prices: PricesInForce,
): ReadonlySet<string> {
  const below = lines.filter(
    ({ purchase, sold: { price, discount } }) =>
      discount > 0 && prices.isUnderFloor(price - discount, purchase),
  );
  return new Set(below.map(({ sold }) => sold.transactionId));
}
