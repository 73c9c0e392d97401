import type { Fulfilment } from "../../contract/v1/fulfilment.ts";
import type { TopupOffer } from "../../contract/v1/offers.ts";
import { isWebAddress } from "../../lib/catalog-texts.ts";
import { toTimestamp } from "../../lib/clock.ts";
import { Exact, majorText, toMajor, toMinor } from "../../lib/money.ts";
import { FieldReader, type Importance } from "../field-reader.ts";
import type { Deviating, Order, Reading } from "../provider.ts";
import type { ProviderConnection } from "../provider-call.ts";
import { type ReloadlyApi, toGiftCardApi, toTopupApi } from "./reloadly-call.ts";

/** A card number, a PIN or a link, which the customer redeems. */
export const DELIVERY_TYPE = "EPIN";

/**
 * `RLD-88-5.00-USD` for an amount of an operator, `RLD-88-USD` for a range; `RLG-5-25.00-USD` and
 * `RLG-5-USD` for a gift card.
 */
const OFFER_ID = /^(RLD|RLG)-(\d+)-(?:[\d.]+-)?([A-Z]{3})$/;

/**
 * Returns the operator or product, and the currency of the amount; undefined if the offer is no top-up
 * (`RLD`) or gift card (`RLG`) of Reloadly.
 */
function parseOfferId(
  prefix: "RLD" | "RLG",
  offerId: string,
): { id: string; currency: string } | undefined {
  const [, found, id, currency] = OFFER_ID.exec(offerId) ?? [];
  if (found !== prefix || id === undefined || currency === undefined) return undefined;
  return { id, currency };
}

/** After REFUNDED and FAILED, nothing was charged. */
type OrderState = "SUCCESSFUL" | "PROCESSING" | "REFUNDED" | "FAILED";

export interface OrderDetails {
  /** Reloadly's id; empty if it is missing. */
  id: string;
  fulfilment: Fulfilment;
  /** Charge in minor units, rounded up; undefined if unstated. */
  cost: number | undefined;
  costCurrency: string;
}

/** A delivery whose codes were read. */
export interface ReadCodes extends Deviating {
  fulfilment: Fulfilment;
  /** False if the response is readable, but has no code. */
  hasCode: boolean;
}

/** A family of Reloadly's products: how its orders are sent and read. */
export interface ReloadlyFamily {
  toApi(connection: ProviderConnection): ReloadlyApi;
  submitPath: string;
  /** Path of the list of orders. */
  listPath: string;
  /** Returns undefined for an offer that is not Reloadly's. */
  toRequest(order: Order): object | undefined;
  /** @param now time of the confirmation, because times of orders have no zone */
  read(order: Order, body: unknown, now: number): Reading<OrderState, OrderDetails>;
  /** Absent if an order has no codes. */
  codes?: {
    toPath(id: string): string;
    /** Returns undefined if the response is unreadable. */
    read(order: Order, details: OrderDetails, body: unknown): ReadCodes | undefined;
  };
}

/** Reads an id, which is documented as a number, so that a number is no deviation. */
function readId(reader: FieldReader, name: string, importance?: Importance): string {
  const id = reader.raw(name);
  return typeof id === "number" ? String(id) : reader.text(name, importance);
}

/** The identifier and the status determine the decision. */
function readState(
  { transactionId }: Order,
  reader: FieldReader,
  states: Readonly<Record<string, OrderState>>,
): OrderState | undefined {
  const isNamed = reader.text("customIdentifier", "needed") === transactionId;
  if (!isNamed) reader.note("customIdentifier", "DIFFERS", true);
  const word = reader.word("status", "needed");
  const state = Object.hasOwn(states, word) ? states[word] : undefined;
  if (word !== "" && !state) reader.note("status", "DIFFERS", true);
  return isNamed ? state : undefined;
}

/** Digits after these are errors of binary fractions. */
const CHARGE_DECIMALS = 6;

/** Returns minor units, rounded up: a charge may have more decimals than its currency. */
function toCharge(stated: Exact, { offer }: Order): number {
  const { currencyDivisor } = offer.cost;
  return toMinor(stated.toDecimalPlaces(CHARGE_DECIMALS), currencyDivisor, "up");
}

function readBalanceCost(reader: FieldReader): Exact | undefined {
  const cost = reader.part("balanceInfo").number("cost");
  return cost === undefined ? undefined : new Exact(cost);
}

const STATES: Readonly<Record<string, OrderState>> = {
  SUCCESSFUL: "SUCCESSFUL",
  PROCESSING: "PROCESSING",
  REFUNDED: "REFUNDED",
  FAILED: "FAILED",
};

export const TOPUPS: ReloadlyFamily = {
  toApi: toTopupApi,
  submitPath: "/topups",
  listPath: "/topups/reports/transactions",
  toRequest: toTopup,
  read: readTopup,
};

/**
 * The amount has no currency in the request: `useLocalAmount` states whether it is in the
 * account's, which is that of the cost.
 */
function toTopup({ offer, send, recipient, transactionId }: Order) {
  const topup = parseOfferId("RLD", offer.offerId);
  if (offer.productType !== "TOPUP" || !topup) return undefined;
  const unit = (offer satisfies TopupOffer).send;
  if (unit.currency !== topup.currency) return undefined;
  return {
    operatorId: topup.id,
    amount: majorText(send, unit.currencyDivisor),
    useLocalAmount: unit.currency !== offer.cost.currency,
    customIdentifier: transactionId,
    recipientPhone: { countryCode: offer.country, number: recipient.replace(/^\+/, "") },
  };
}

function readTopup(order: Order, body: unknown, now: number): Reading<OrderState, OrderDetails> {
  const reader = new FieldReader(body);
  const state = readState(order, reader, STATES);
  const isOwn = isForRecipient(order, reader);
  const id = readId(reader, "transactionId", "expected");
  const cost = readBalanceCost(reader);
  const details = {
    id,
    fulfilment: {
      confirmation: {
        confirmationNumber: id,
        externalReferenceId: reader.text("operatorTransactionId"),
        transactionTime: toTimestamp(now),
      },
    },
    cost: cost && toCharge(cost, order),
    costCurrency: reader.part("balanceInfo").word("currencyCode") || order.offer.cost.currency,
  };
  return { decided: isOwn ? state : undefined, details, deviations: reader.deviations };
}

/**
 * Another shop of the same account may have used the identifier. A recipient that is absent or
 * unreadable decides nothing.
 */
function isForRecipient({ recipient }: Order, reader: FieldReader): boolean {
  const phone = reader.raw("recipientPhone");
  const isText = typeof phone === "string" || typeof phone === "number";
  const stated = isText ? String(phone).replaceAll(/\D/g, "") : "";
  const isSame = stated.length < 6 || recipient.replaceAll(/\D/g, "").endsWith(stated);
  if (!isSame) reader.note("recipientPhone", "DIFFERS", true);
  return isSame;
}

const GIFT_CARD_STATES: Readonly<Record<string, OrderState>> = { ...STATES, PENDING: "PROCESSING" };

/** Reloadly requires a name. It sends no message, because the order names no recipient. */
const SENDER_NAME = "Tillgate";

export const GIFT_CARDS: ReloadlyFamily = {
  toApi: toGiftCardApi,
  submitPath: "/orders",
  listPath: "/reports/transactions",
  toRequest: toGiftCardOrder,
  read: readGiftCardOrder,
  codes: { toPath: (id) => `/orders/transactions/${id}/cards`, read: readCards },
};

function toGiftCardOrder({ offer, send, transactionId }: Order) {
  const card = parseOfferId("RLG", offer.offerId);
  if (offer.productType !== "VOUCHER" || offer.send.currency !== card?.currency) return undefined;
  return {
    productId: Number(card.id),
    quantity: 1,
    unitPrice: toMajor(send, offer.send.currencyDivisor).toNumber(),
    customIdentifier: transactionId,
    senderName: SENDER_NAME,
  };
}

function readGiftCardOrder(
  order: Order,
  body: unknown,
  now: number,
): Reading<OrderState, OrderDetails> {
  const reader = new FieldReader(body);
  const state = readState(order, reader, GIFT_CARD_STATES);
  const isOwn = isOfProduct(order, reader.part("product"));
  const id = readId(reader, "transactionId", "expected");
  const cost = readBalanceCost(reader) ?? readNetAmount(reader);
  const details = {
    id,
    fulfilment: {
      confirmation: {
        confirmationNumber: id,
        externalReferenceId: "",
        transactionTime: toTimestamp(now),
      },
    },
    cost: cost && toCharge(cost, order),
    costCurrency: reader.word("currencyCode") || order.offer.cost.currency,
  };
  return { decided: isOwn ? state : undefined, details, deviations: reader.deviations };
}

/**
 * Another shop of the same account may have used the identifier. A product or price that is absent
 * or unreadable decides nothing.
 */
function isOfProduct({ offer, send }: Order, product: FieldReader): boolean {
  const id = readId(product, "productId");
  const unit = "send" in offer ? offer.send : offer.cost;
  const price = product.decimal("unitPrice", unit.currencyDivisor);
  const isSameProduct = id === "" || id === parseOfferId("RLG", offer.offerId)?.id;
  if (!isSameProduct) product.note("productId", "DIFFERS", true);
  const isSamePrice = price === undefined || price === send;
  if (!isSamePrice) product.note("unitPrice", "DIFFERS", true);
  return isSameProduct && isSamePrice;
}

/** `amount` has the fees, and is before the discount. */
function readNetAmount(reader: FieldReader): Exact | undefined {
  const amount = reader.number("amount");
  return amount === undefined ? undefined : new Exact(amount).sub(reader.number("discount") ?? 0);
}

/** The documentation has one card, and a list of cards. An order has one card. */
function readCards(order: Order, details: OrderDetails, body: unknown): ReadCodes | undefined {
  const cards: unknown[] = Array.isArray(body) ? body : [body];
  const reader = new FieldReader(cards.length === 0 ? {} : cards[0]);
  if (!reader.isObject) return undefined;
  if (cards.length > 1) reader.note("(cards)", "DIFFERS", true);
  const number = reader.text("cardNumber");
  const pin = reader.text("pinCode");
  const link = reader.code("redemptionUrl");
  const redemptionUrl = isWebAddress(link) ? link : "";
  if (link !== redemptionUrl) reader.note("redemptionUrl", "UNREADABLE");
  const hasCode = [number, pin, redemptionUrl].some((code) => code !== "");
  if (!hasCode) reader.note("cardNumber", "MISSING", true);
  return {
    fulfilment: {
      ...details.fulfilment,
      receipt: toReceipt(order, details, {
        epin: pin || number,
        voucherId: pin === "" ? "" : number,
        redemptionUrl,
      }),
    },
    hasCode,
    deviations: reader.deviations,
  };
}

/** A card with a PIN has its number as the serial number. */
function toReceipt(
  { offer, send }: Order,
  { id }: OrderDetails,
  codes: { epin: string; voucherId: string; redemptionUrl: string },
): NonNullable<Fulfilment["receipt"]> {
  return {
    deliveryType: DELIVERY_TYPE,
    confirmationNumber: id,
    currency: "send" in offer ? offer.send.currency : offer.cost.currency,
    ...codes,
    accountId: "",
    expiresAt: "",
    instructions: offer.notes,
    notes: "",
    recipientCustomerServiceNumber: "",
    senderCustomerServiceNumber: "",
    terms: "",
    send,
  };
}
