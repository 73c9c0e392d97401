import type { Fulfilment } from "../../contract/v1/fulfilment.ts";
import { Exact, toMinor } from "../../lib/money.ts";
import type { FieldReader, Importance } from "../field-reader.ts";
import type { Deviating, Order, Reading } from "../provider.ts";
import type { ProviderConnection } from "../provider-call.ts";
import type { ReloadlyApi } from "./reloadly-call.ts";

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
export function parseOfferId(
  prefix: "RLD" | "RLG",
  offerId: string,
): { id: string; currency: string } | undefined {
  const [, found, id, currency] = OFFER_ID.exec(offerId) ?? [];
  if (found !== prefix || id === undefined || currency === undefined) return undefined;
  return { id, currency };
}

/** After REFUNDED and FAILED, nothing was charged. */
export type OrderState = "SUCCESSFUL" | "PROCESSING" | "REFUNDED" | "FAILED";

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
export function readId(reader: FieldReader, name: string, importance?: Importance): string {
  const id = reader.raw(name);
  return typeof id === "number" ? String(id) : reader.text(name, importance);
}

/** The identifier and the status determine the decision. */
export function readState(
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
export function toCharge(stated: Exact, { offer }: Order): number {
  const { currencyDivisor } = offer.cost;
  return toMinor(stated.toDecimalPlaces(CHARGE_DECIMALS), currencyDivisor, "up");
}

export function readBalanceCost(reader: FieldReader): Exact | undefined {
  const cost = reader.part("balanceInfo").number("cost");
  return cost === undefined ? undefined : new Exact(cost);
}
