import type { WantedLine } from "../../../contract/pos/sale-lines.ts";
import { Problem } from "../../../contract/problem.ts";
import type { Scope } from "../../../db/changes.ts";
import type { CatalogService } from "../../catalog/catalog/index.ts";
import { priceAtCounter } from "../../catalog/counter-catalog/index.ts";
import {
  LINE_FIELDS,
  PURCHASED_FAMILIES,
  type PurchaseService,
} from "../../purchases/purchases/index.ts";

export type PreparedPurchase = Awaited<ReturnType<PurchaseService["prepareLine"]>>;

export interface LineDeps {
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
