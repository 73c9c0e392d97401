import type { DiscountInput, SaleLineInput, WantedLine } from "../../../contract/pos/sale-lines.ts";
import { Problem } from "../../../contract/problem.ts";
import type { Scope } from "../../../db/changes.ts";
import type { CatalogService } from "../../catalog/catalog/index.ts";
import { type PricedOffer, priceAtCounter } from "../../catalog/counter-catalog/index.ts";
import type { PricesInForce } from "../../catalog/prices/index.ts";
import {
  LINE_FIELDS,
  PURCHASED_FAMILIES,
  type PurchaseService,
} from "../../purchases/purchases/index.ts";
import type { NewSaleLine } from "./sale-store.ts";

export interface PreparedLine {
  purchase: PreparedPurchase;
  sold: NewSaleLine;
}

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

export type PreparedPurchase = Awaited<ReturnType<PurchaseService["prepareLine"]>>;

interface LineDeps {
  purchases: PurchaseService;
  catalog: CatalogService;
}

/**
 * Checks and prices a line. Writes nothing.
 * @throws Problem INVALID_REQUEST and the errors of a purchase, naming the fields of the line
 */
export async function prepareLine(
  { purchases, catalog }: LineDeps,
  scope: Scope,
  line: WantedLine & { transactionId: string },
): Promise<PreparedPurchase> {
  requireFitting(line);
  const asked = await catalog.getOfferForSale(scope, line.productType, line.offerId);
  const snapshot = await catalog.getSnapshot(scope);
  const { value: _, ...others } = line;
  const { offer, value } = priceAtCounter(snapshot, asked, line.value);
  const sold = { ...others, offerId: offer.offerId, ...(value && { value }) };
  return purchases.prepareLine(scope, sold);
}

/** Returns the recipient's number, account or eSIM; empty if there is no recipient. */
export function getRecipient(line: WantedLine, purchase: PreparedPurchase): string {
  return line.iccid ?? purchase.recipient;
}

export async function ofLine<T>(index: number, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof Problem ? namedWithin(`lines.${index}`, error) : error;
  }
}

function namedWithin(path: string, problem: Problem): Problem {
  // An offer's required fields are entries of the line's `fields`.
  const within = problem.errorCode === "REQUIRED_FIELD_MISSING" ? `${path}.fields` : path;
  const fields: Record<string, string> = {};
  for (const [name, rule] of Object.entries(problem.fields)) fields[`${within}.${name}`] = rule;
  return new Problem(problem.errorCode, problem.message, fields);
}

/** @throws Problem INVALID_REQUEST */
function requireFitting(line: WantedLine): void {
  const { lineFields } = PURCHASED_FAMILIES[line.productType];
  const faults: Record<string, string> = {};
  for (const name of LINE_FIELDS) {
    const isForeign = line[name] !== undefined && !(name in lineFields);
    if (isForeign) faults[name] = `is not taken by ${line.productType}`;
  }
  for (const name of LINE_FIELDS) {
    if (line[name] === undefined && lineFields[name] === "required") faults[name] = "is required";
  }
  const names = Object.keys(faults).join(", ");
  if (names === "") return;
  throw new Problem("INVALID_REQUEST", `The line does not fit its product: ${names}.`, faults);
}
