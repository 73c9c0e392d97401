import type { EsimArea } from "../../../../../server/contract/pos/esims.ts";
import type { SaleLineInput, WantedLine } from "../../../../../server/contract/pos/sale-lines.ts";
import type { PurchaseValue } from "../../../../../server/contract/v1/purchase-record.ts";
import { groupOfFour } from "../../../../lib/group-of-four.ts";
import type { GivenField } from "../../picker/fields/fields-state.ts";

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

export interface VoucherItem extends ItemHead {
  readonly productType: "VOUCHER";
  readonly fields: readonly GivenField[];
}

export interface EsimItem extends ItemHead {
  readonly productType: "ESIM";
  /** Where it works, in the clerk's words: a country or a region. */
  readonly place: string;
  /** Of a plan that is for no single country. */
  readonly area?: EsimArea;
  /** The eSIM the plan is added to; absent for a new one. */
  readonly iccid?: string;
}

export interface BillItem extends ItemHead {
  readonly productType: "BILL_PAY";
  readonly fields: readonly GivenField[];
  /** What is paid for, as the catalog says it: "Electricity". */
  readonly service?: string;
  /** What the biller says is due, in minor units of what is delivered. */
  readonly due?: number;
}

/** One thing that can be sold, with everything the confirm step says of it. */
export type LineItem = TopupItem | VoucherItem | EsimItem | BillItem;

/** A line of the basket; its id never changes, and is stored before anything is sent. */
export interface AttemptLine {
  readonly transactionId: string;
  readonly item: LineItem;
  /** Off the price, minor units. */
  readonly discount?: number;
  /** Who may not give it alone had it approved. */
  readonly discountApprovalId?: string;
  /** It takes the line below what it costs the shop. */
  readonly belowCost?: boolean;
}

/** Whom or what the line is for; empty where nothing names one. */
export function recipientOf(item: LineItem): string {
  switch (item.productType) {
    case "TOPUP":
      return item.formatted;
    case "ESIM":
      return item.iccid ? groupOfFour(item.iccid) : item.place;
    case "VOUCHER":
    case "BILL_PAY":
      return item.fields.map(({ shown }) => shown).join(" · ");
  }
}

/** What is wanted, without what it costs. */
export function wantedOf(item: LineItem): WantedLine {
  const { productType, offerId, value } = item;
  const wanted = { productType, offerId, ...(value ? { value } : {}) };
  switch (item.productType) {
    case "TOPUP":
      return { ...wanted, recipientPhoneNumber: item.number };
    case "ESIM":
      return { ...wanted, ...(item.iccid ? { iccid: item.iccid } : {}) };
    case "VOUCHER":
    case "BILL_PAY":
      return {
        ...wanted,
        fields: item.fields.map(({ key, value: text }) => ({ key, value: text })),
      };
  }
}

/** The line as it is sent. */
export function lineInput(attemptLine: AttemptLine): SaleLineInput {
  const { transactionId, item, discount = 0, discountApprovalId } = attemptLine;
  const line = { transactionId, ...wantedOf(item), price: item.price };
  const approved = discountApprovalId === undefined ? {} : { discountApprovalId };
  return discount > 0 ? { ...line, discount, ...approved } : line;
}

/** What the customer pays for the lines, in minor units. */
export function totalOf(lines: readonly AttemptLine[]): number {
  return lines.reduce((sum, { item, discount = 0 }) => sum + item.price - discount, 0);
}
