import type { Fulfilment } from "../../contract/v1/fulfilment.ts";
import { isWebAddress } from "../../lib/catalog-texts.ts";
import { toTimestamp } from "../../lib/clock.ts";
import { Exact, toMajor } from "../../lib/money.ts";
import { FieldReader } from "../field-reader.ts";
import type { Order, Reading } from "../provider.ts";
import { toGiftCardApi } from "./reloadly-call.ts";
import {
  DELIVERY_TYPE,
  type OrderDetails,
  type OrderState,
  parseOfferId,
  type ReadCodes,
  type ReloadlyFamily,
  readBalanceCost,
  readId,
  readState,
  toCharge,
} from "./reloadly-order.ts";

const STATES: Readonly<Record<string, OrderState>> = {
  SUCCESSFUL: "SUCCESSFUL",
  PENDING: "PROCESSING",
  PROCESSING: "PROCESSING",
  REFUNDED: "REFUNDED",
  FAILED: "FAILED",
};

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
  const state = readState(order, reader, STATES);
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
