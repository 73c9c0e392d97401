import { parsePhoneNumberFromString } from "libphonenumber-js/max";
import { MINUTE } from "../lib/clock.ts";
import { Skipped } from "./check.ts";
import { type FamilyPath, type Found, findBill, inventFields, listOf, waitFor } from "./finds.ts";
import type { Reply, Target } from "./target.ts";

/** Chooses the cheapest offers and buys them. */

type PriceType = "FIXED" | "RANGE";
type Order = Record<string, unknown> & {
  offerId: string;
  value?: { type: string; value: number };
};

const OUTCOME_TIMEOUT_MS = MINUTE;

/** Returns the request for the cheapest offer of a family, without a transaction id. */
export function chooseOrder(target: Target, family: FamilyPath): Promise<Order> {
  return target.find(`order of ${family}`, () => CHOICES[family](target));
}

const CHOICES: Record<FamilyPath, (target: Target) => Promise<Order>> = {
  topups: (target) => chooseTopup(target, "FIXED"),
  vouchers: chooseVoucher,
  esim: async (target) => {
    const offer = cheapest(await listOf(target, "/esim/offers"), "FIXED");
    if (!offer) throw new Skipped("There is no eSIM for sale.");
    return { offerId: offer.offerId };
  },
  billpay: async (target) => {
    const { offer, fields, query } = await findBill(target);
    const asked = new URLSearchParams(query).toString();
    const { body } = await target.get(`/billpay/offers/${offer.offerId}/bill?${asked}`);
    return { offerId: offer.offerId, fields, value: { type: "ZEND", value: body?.send } };
  },
};

export async function chooseTopup(target: Target, priceType: PriceType): Promise<Order> {
  const { recipient } = target.options;
  if (recipient === undefined) throw new Skipped("A live top-up needs --recipient.");
  const country = parsePhoneNumberFromString(recipient)?.country ?? "";
  const offers = await listOf(target, `/topups/offers?country=${country}`);
  const offer = cheapest(offers, priceType);
  if (!offer) throw new Skipped(`There is no ${priceType} top-up for ${country}.`);
  return {
    offerId: offer.offerId,
    recipientPhoneNumber: recipient,
    ...(priceType === "RANGE" && { value: { type: "PRICE", value: offer.price.min } }),
  };
}

async function chooseVoucher(target: Target): Promise<Order> {
  const offers = await listOf(target, "/vouchers/offers");
  // Required fields of a live voucher have no invented values.
  const needsFields = ({ requiredFields }: Found) => requiredFields?.length > 0;
  const fitting = target.options.isTest
    ? offers.filter(needsFields)
    : offers.filter((offer) => !needsFields(offer));
  const offer = cheapest(fitting, "FIXED") ?? cheapest(offers, "FIXED");
  if (!offer || (!target.options.isTest && needsFields(offer))) {
    throw new Skipped("There is no voucher for sale without required fields.");
  }
  const fields = await inventFields(target, offer, offer.requiredFields);
  return { offerId: offer.offerId, fields };
}

function cheapest(offers: readonly Found[], priceType: PriceType): Found | undefined {
  const amountOf = ({ cost }: Found) => Number(priceType === "FIXED" ? cost.fixed : cost.min);
  return offers
    .filter((offer) => offer.enabled && offer.priceType === priceType && amountOf(offer) > 0)
    .toSorted((one, other) => amountOf(one) - amountOf(other))[0];
}

interface Bought {
  readonly path: string;
  readonly order: Order & { transactionId: string };
  readonly reply: Reply;
  /** The record once it is DONE or FAILED, or the last one before the timeout. */
  readonly record: Found;
}

type BoughtOnce = Bought & {
  /** The offer immediately before the purchase. */
  readonly offer: Found;
};

/** Buys the cheapest offer of a family, once per run. */
export function buyOnce(target: Target, family: FamilyPath): Promise<BoughtOnce> {
  return target.find(`bought ${family}`, async () => {
    const order = await chooseOrder(target, family);
    const { body: offer } = await target.get(`/${family}/offers/${order.offerId}`);
    return { ...(await buy(target, family, order)), offer };
  });
}

export async function buy(
  target: Target,
  family: FamilyPath,
  order: Order,
  transactionId = target.createId(),
): Promise<Bought> {
  const sent = { ...order, transactionId };
  const reply = await target.post(`/${family}/purchases`, sent);
  const path = `/${family}/purchases/${transactionId}`;
  const record =
    reply.status === 200
      ? await waitFor(target, path, isFinal, OUTCOME_TIMEOUT_MS)
      : { status: "refused" };
  return { path, order: sent, reply, record };
}

export function isFinal({ status }: Found): boolean {
  return status === "DONE" || status === "FAILED";
}
