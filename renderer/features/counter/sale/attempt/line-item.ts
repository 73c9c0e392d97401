import type { PricedBill } from "../../../../../server/contract/pos/bill-amounts.ts";
import type { EsimArea } from "../../../../../server/contract/pos/esims.ts";
import { FAMILY_FACTS, type Family } from "../../../../../server/contract/pos/families.ts";
import type { NumberCheck } from "../../../../../server/contract/pos/number-check.ts";
import type { SaleLineInput, WantedLine } from "../../../../../server/contract/pos/sale-lines.ts";
import type { PurchaseValue } from "../../../../../server/contract/v1/purchase-record.ts";
import { groupOfFour } from "../../../../lib/group-of-four.ts";
import type { GivenField } from "../../picker/fields/fields-state.ts";

/**
 * One thing that can be sold, with everything the confirm step says of it: what every line has, and
 * what lines of some families have beside it. Amounts in minor units of the currency beside them.
 */
export interface LineItem {
  readonly productType: Family;
  readonly offerId: string;
  readonly brand: string;
  readonly brandName: string;
  readonly brandColor: string;
  /** ISO 3166-1 alpha-2; empty for an eSIM of a region. */
  readonly country: string;
  readonly title: string;
  readonly value?: PurchaseValue;
  /** What the customer is told, before any discount. */
  readonly price: number;
  readonly priceCurrency: string;
  readonly priceCurrencyDivisor: number;
  /** What is delivered; absent until a repeated sale has been priced again, and for eSIMs. */
  readonly send?: number;
  readonly sendCurrency?: string;
  readonly sendCurrencyDivisor?: number;

  /** The phone number it is for, E.164, and as people write it. */
  readonly number?: string;
  readonly formatted?: string;
  /** What the customer supplied. */
  readonly fields?: readonly GivenField[];
  /** What is paid for, as the catalog says it: "Electricity". */
  readonly service?: string;
  /** What the biller says is due, in minor units of what is delivered. */
  readonly due?: number;
  /** Of a bill: the provider's fee in the price. */
  readonly priceFee?: number;
  /** Where an eSIM works, in the clerk's words: a country or a region. */
  readonly place?: string;
  /** Of a plan that is for no single country. */
  readonly area?: EsimArea;
  /** The eSIM the plan is added to; absent for a new one. */
  readonly iccid?: string;
}

/** A line of the basket; its id never changes, and is stored before anything is sent. */
export interface AttemptLine {
  readonly transactionId: string;
  readonly item: LineItem;
  /** Off the price, minor units. */
  readonly discount?: number;
  /** The approval of a discount that the clerk may not give alone. */
  readonly discountApprovalId?: string;
  /** The discount takes the line below what it costs the shop. */
  readonly belowCost?: boolean;
  /** Who said that the number is right, where the customer was to. */
  readonly numberCheck?: GivenNumberCheck;
  /** The gateway refused it without that. */
  readonly asksNumber?: boolean;
}

export interface GivenNumberCheck {
  readonly by: NumberCheck;
  /** Milliseconds since the epoch, by this till's clock. */
  readonly at: number;
}

/** The recipient of the line; empty where nothing names one. */
export function recipientOf(item: LineItem): string {
  const { formatted = "", iccid, place = "", fields = [] } = item;
  switch (FAMILY_FACTS[item.productType].recipientKind) {
    case "number":
      return formatted;
    case "esim":
      return iccid ? groupOfFour(iccid) : place;
    case "fields":
      return fields.map(({ shown }) => shown).join(" · ");
  }
}

/** Returns the amounts of a bill payment; undefined for other families, and until a repeated one is priced. */
export function toPricedBill(item: LineItem): PricedBill | undefined {
  const { productType, send, sendCurrency, sendCurrencyDivisor } = item;
  const isBill = productType === "BILL_PAY" && send !== undefined;
  return isBill && sendCurrency && sendCurrencyDivisor
    ? { ...item, send, sendCurrency, sendCurrencyDivisor }
    : undefined;
}

/** What is wanted, without what it costs. */
export function wantedOf(item: LineItem): WantedLine {
  const { productType, offerId, value, number = "", iccid, fields = [] } = item;
  const wanted = { productType, offerId, ...(value && { value }) };
  switch (FAMILY_FACTS[productType].recipientKind) {
    case "number":
      return { ...wanted, recipientPhoneNumber: number };
    case "esim":
      return { ...wanted, ...(iccid && { iccid }) };
    case "fields":
      return {
        ...wanted,
        fields: fields.map(({ key, value: text }) => ({ key, value: text })),
      };
  }
}

/** An earlier sale that is repeated, and that the gateway has not priced again. */
export function isWithoutAmounts({ productType, send }: LineItem): boolean {
  return FAMILY_FACTS[productType].deliversMoney && send === undefined;
}

/** The line as it is sent. */
export function lineInput(attemptLine: AttemptLine): SaleLineInput {
  const { transactionId, item, discount = 0, discountApprovalId, numberCheck } = attemptLine;
  const line = {
    transactionId,
    ...wantedOf(item),
    price: item.price,
    ...(numberCheck && { numberCheck: numberCheck.by }),
  };
  const approved = discountApprovalId === undefined ? {} : { discountApprovalId };
  return discount > 0 ? { ...line, discount, ...approved } : line;
}

/** What the customer pays for the lines, in minor units. */
export function totalOf(lines: readonly AttemptLine[]): number {
  return lines.reduce((sum, { item, discount = 0 }) => sum + item.price - discount, 0);
}
