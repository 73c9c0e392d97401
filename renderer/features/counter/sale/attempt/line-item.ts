import type { ComponentType } from "react";
import type { PricedBill } from "../../../../../server/contract/pos/bill-amounts.ts";
import type { EsimArea } from "../../../../../server/contract/pos/esims.ts";
import { FAMILY_FACTS, type Family } from "../../../../../server/contract/pos/families.ts";
import type { NumberCheck } from "../../../../../server/contract/pos/number-check.ts";
import type { PosOffer } from "../../../../../server/contract/pos/offers.ts";
import type { SaleLineInput, WantedLine } from "../../../../../server/contract/pos/sale-lines.ts";
import type { PurchaseValue } from "../../../../../server/contract/v1/purchase-record.ts";
import { groupOfFour } from "../../../../lib/group-of-four.ts";
import type { Translate } from "../../../../lib/i18n.ts";
import type { GivenField } from "../../picker/fields/fields-state.ts";

/**
 * A product with all data of the confirm step. Each amount is in minor units of the currency beside
 * it.
 */
export interface LineItem {
  readonly productType: Family;
  readonly offerId: string;
  readonly brand: string;
  readonly brandName: string;
  readonly brandColor: string;
  /** ISO 3166-1 alpha-2; empty for a regional eSIM. */
  readonly country: string;
  readonly title: string;
  readonly value?: PurchaseValue;
  /** Customer's price before discounts. */
  readonly price: number;
  readonly priceCurrency: string;
  readonly priceCurrencyDivisor: number;
  /** Undefined for eSIMs, and for a repeated sale until the gateway has priced it. */
  readonly send?: number;
  readonly sendCurrency?: string;
  readonly sendCurrencyDivisor?: number;

  /** Recipient in E.164, and in the format for people. */
  readonly number?: string;
  readonly formatted?: string;
  readonly fields?: readonly GivenField[];
  readonly service?: string;
  /** Amount due according to the biller, in minor units of `sendCurrency`. */
  readonly due?: number;
  /** Provider's fee, included in the price of a bill. */
  readonly priceFee?: number;
  /** Country or region in which an eSIM works, in the clerk's language. */
  readonly place?: string;
  readonly area?: EsimArea;
  /** Existing eSIM to which a plan is added. Undefined for a new eSIM. */
  readonly iccid?: string;
}

/** Presentation of a family's lines in the confirm step. */
export interface LineDetails {
  /**
   * Recipient in the largest type, because a wrong recipient cannot be corrected after the sale.
   */
  readonly headOf: (item: LineItem, t: Translate) => string;
  readonly Beside?: ComponentType<{ readonly item: LineItem }>;
  readonly Below?: ComponentType<{ readonly item: LineItem }>;
}

type Offer = Exclude<PosOffer, { readonly productType: "TOPUP" }>;

/** Returns the parts of a line that its offer determines. */
export function lineOfOffer(offer: Offer): LineItem {
  const { productType, offerId, brand, brandName, brandColor, country, title, price } = offer;
  return {
    productType,
    offerId,
    brand,
    brandName,
    brandColor,
    country,
    title,
    price: (price.fixed ?? 0) + price.fee,
    priceCurrency: price.currency,
    priceCurrencyDivisor: price.currencyDivisor,
  };
}

/** The id is stored before the first request and never changes. */
export interface AttemptLine {
  readonly transactionId: string;
  readonly item: LineItem;
  /** In minor units, subtracted from the price. */
  readonly discount?: number;
  /** Colleague's approval of a discount that the clerk may not give alone. */
  readonly discountApprovalId?: string;
  /** True if the discounted price is below the shop's cost. */
  readonly belowCost?: boolean;
  readonly numberCheck?: GivenNumberCheck;
  /** True if the gateway refused the line because the number is not confirmed. */
  readonly asksNumber?: boolean;
}

export interface GivenNumberCheck {
  readonly by: NumberCheck;
  /** Milliseconds since the epoch by this till's clock. */
  readonly at: number;
}

/** Returns the recipient as text; empty if the product has no recipient. */
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

/**
 * Returns a bill's amounts; undefined for other families, and for a repeated payment until the
 * gateway has priced it.
 */
export function toPricedBill(item: LineItem): PricedBill | undefined {
  const { productType, send, sendCurrency, sendCurrencyDivisor } = item;
  const isBill = productType === "BILL_PAY" && send !== undefined;
  return isBill && sendCurrency && sendCurrencyDivisor
    ? { ...item, send, sendCurrency, sendCurrencyDivisor }
    : undefined;
}

/** Selects the product and the recipient, without price and amounts. */
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

/** Returns whether a repeated sale is not priced yet. */
export function isWithoutAmounts({ productType, send }: LineItem): boolean {
  return FAMILY_FACTS[productType].deliversMoney && send === undefined;
}

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

/** Returns the total in minor units, after discounts. */
export function totalOf(lines: readonly AttemptLine[]): number {
  return lines.reduce((sum, { item, discount = 0 }) => sum + item.price - discount, 0);
}
