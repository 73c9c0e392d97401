import type { TopupOffer } from "../../contract/v1/offers.ts";
import { toTimestamp } from "../../lib/clock.ts";
import { majorText } from "../../lib/money.ts";
import { FieldReader } from "../field-reader.ts";
import type { Order, Reading } from "../provider.ts";
import { toTopupApi } from "./reloadly-call.ts";
import {
  type OrderDetails,
  type OrderState,
  parseOfferId,
  type ReloadlyFamily,
  readBalanceCost,
  readId,
  readState,
  toCharge,
} from "./reloadly-order.ts";

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
