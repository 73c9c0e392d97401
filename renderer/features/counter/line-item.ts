import type { SaleLineInput } from "../../../server/contract/pos/sale-lines.ts";
import type { PurchaseValue } from "../../../server/contract/v1/purchases.ts";

/** What every line shows, whatever it sells. Amounts in minor units of the currency beside them. */
interface ItemHead {
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
}

export interface TopupItem extends ItemHead {
  readonly productType: "TOPUP";
  /** E.164. */
  readonly number: string;
  readonly formatted: string;
}

/** One thing that can be sold, with everything the confirm step says of it. */
export type LineItem = TopupItem;

/** A line of the basket; its id never changes, and is stored before anything is sent. */
export interface AttemptLine {
  readonly transactionId: string;
  readonly item: LineItem;
}

/** Whom or what the line is for; empty where nothing names one. */
export function recipientOf(item: LineItem): string {
  return item.formatted;
}

/** The line as it is sent. */
export function lineInput({ transactionId, item }: AttemptLine): SaleLineInput {
  return {
    transactionId,
    productType: item.productType,
    offerId: item.offerId,
    recipientPhoneNumber: item.number,
    ...(item.value ? { value: item.value } : {}),
    price: item.price,
  };
}

/** What the customer pays for the lines, in minor units. */
export function totalOf(lines: readonly AttemptLine[]): number {
  return lines.reduce((sum, { item }) => sum + item.price, 0);
}
