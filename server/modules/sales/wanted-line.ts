import type { Family } from "../../contract/pos/families.ts";
import type { WantedLine } from "../../contract/pos/sale-lines.ts";
import { Problem } from "../../contract/problem.ts";
import type { Scope } from "../../db/changes.ts";
import type { CatalogService } from "../catalog/index.ts";
import { priceAtCounter } from "../counter-catalog/index.ts";
import type { PurchaseService } from "../purchases/index.ts";

export type PreparedPurchase = Awaited<ReturnType<PurchaseService["prepareTopup"]>>;

interface Deps {
  purchases: PurchaseService;
  catalog: CatalogService;
}

type Taken = Exclude<keyof WantedLine, "productType" | "offerId">;

/** What each family is sold with. */
const TAKES: Record<Family, readonly Taken[]> = {
  TOPUP: ["recipientPhoneNumber", "value"],
  VOUCHER: ["fields", "value"],
  ESIM: ["iccid"],
  BILL_PAY: ["fields", "value", "sender", "recipient"],
};
const ALL_TAKEN: readonly Taken[] = [
  "recipientPhoneNumber",
  "fields",
  "iccid",
  "value",
  "sender",
  "recipient",
];

/**
 * Checks a line against its family, the catalog and the bill it pays, and works out its amounts.
 * Writes nothing.
 * @throws Problem INVALID_REQUEST and those of a purchase, naming the fields of the line
 */
export async function prepareLine(
  { purchases, catalog }: Deps,
  scope: Scope,
  line: WantedLine & { transactionId: string },
): Promise<PreparedPurchase> {
  requireFitting(line);
  const { transactionId, fields = [], sender, recipient, iccid } = line;
  const { accountId, environment } = scope;
  const asked = await catalog.getOfferForSale(scope, line.productType, line.offerId);
  const snapshot = await catalog.getSnapshot(scope);
  const { offer, value } = priceAtCounter(snapshot, asked, line.value);
  const common = { transactionId, offerId: offer.offerId };
  const withValue = { ...common, ...(value && { value }) };
  const at = { accountId, environment };
  switch (line.productType) {
    case "TOPUP": {
      const { recipientPhoneNumber = "" } = line;
      return purchases.prepareTopup(at, { ...withValue, recipientPhoneNumber });
    }
    case "VOUCHER":
      return purchases.prepareVoucher(at, { ...withValue, fields });
    case "ESIM":
      return purchases.prepareEsim(at, { ...common, ...(iccid !== undefined && { iccid }) });
    case "BILL_PAY":
      return purchases.prepareBillPay(at, {
        ...withValue,
        fields,
        ...(sender && { sender }),
        ...(recipient && { recipient }),
      });
  }
}

/** The number, account or eSIM that a line is for; empty where there is none. */
export function recipientOf(line: WantedLine, purchase: PreparedPurchase): string {
  return line.iccid ?? purchase.recipient;
}

/** Runs work on one line of several, so that what it refuses names the field of that line. */
export async function ofLine<T>(index: number, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof Problem ? namedWithin(`lines.${index}`, error) : error;
  }
}

function namedWithin(path: string, problem: Problem): Problem {
  // A field that the offer asks for is one of `fields`.
  const within = problem.errorCode === "REQUIRED_FIELD_MISSING" ? `${path}.fields` : path;
  const fields: Record<string, string> = {};
  for (const [name, rule] of Object.entries(problem.fields)) fields[`${within}.${name}`] = rule;
  return new Problem(problem.errorCode, problem.message, fields);
}

/** @throws Problem INVALID_REQUEST */
function requireFitting(line: WantedLine): void {
  const taken = TAKES[line.productType];
  const foreign = ALL_TAKEN.filter((name) => line[name] !== undefined && !taken.includes(name));
  const faults: Record<string, string> = {};
  for (const name of foreign) faults[name] = `is not taken by ${line.productType}`;
  if (line.productType === "TOPUP" && line.recipientPhoneNumber === undefined) {
    faults.recipientPhoneNumber = "is required";
  }
  const names = Object.keys(faults).join(", ");
  if (names === "") return;
  throw new Problem("INVALID_REQUEST", `The line does not fit its product: ${names}.`, faults);
}
