import { parsePhoneNumberFromString } from "libphonenumber-js/max";
import { MINUTE } from "../lib/clock.ts";
import { type Check, Skipped } from "./check.ts";
import {
  ACCEPTED,
  BILLPAY_PURCHASE,
  ESIM_PURCHASE,
  REFUND,
  TOPUP_PURCHASE,
  TRANSACTION,
  VOUCHER_PURCHASE,
} from "./contract-purchase-records.ts";
import {
  FAMILY_PATHS,
  type FamilyPath,
  type Found,
  findBill,
  inventFields,
  listOf,
  waitFor,
} from "./finds.ts";
import type { Reply, Target } from "./target.ts";

/** Checks that make purchases. */

function check(name: string, clause: string, run: Check["run"]): Check {
  return { name, clause, stage: "sell", run };
}

const SHAPES = {
  topups: TOPUP_PURCHASE,
  vouchers: VOUCHER_PURCHASE,
  esim: ESIM_PURCHASE,
  billpay: BILLPAY_PURCHASE,
} as const;

const OF_EVERY_FAMILY = FAMILY_PATHS.flatMap((family) => [
  ...checkOutcome(family),
  ...checkTraces(family),
]);

function checkOutcome(family: FamilyPath): Check[] {
  return [
    check(
      `POST /${family}/purchases accepts a purchase`,
      "purchase-accepted",
      async (target, findings) => {
        const { reply, order } = await buyOnce(target, family);
        if (!findings.answered(reply, ACCEPTED)) return;
        findings.equal("transactionId", reply.body.transactionId, order.transactionId);
        findings.equal("status", reply.body.status, "ACCEPTED");
      },
    ),
    check(
      `A repeated purchase of ${family} is DUPLICATE_TRANSACTION_ID`,
      "idempotency-transaction-id",
      async (target, findings) => {
        const { order } = await buyOnce(target, family);
        const repeated = await target.post(`/${family}/purchases`, order);
        findings.refused(repeated, 400, "DUPLICATE_TRANSACTION_ID", ["transactionId"]);
      },
    ),
    check(
      `A purchase of ${family} is DONE with its record`,
      "record-whole",
      async (target, findings) => {
        const { path, record, order } = await buyOnce(target, family);
        if (!findings.answered(await target.get(path), SHAPES[family])) return;
        findings.equal(`${path}: status`, [record.status, record.error], ["DONE", undefined]);
        findings.equal("transactionId", record.transactionId, order.transactionId);
        findings.equal("offerId", record.offerId, order.offerId);
        findings.holds("a confirmation", record.confirmation !== undefined, record);
        const sum = Number(record.costBase) + Number(record.costFee);
        findings.equal("cost = costBase + costFee", record.cost, sum);
      },
    ),
  ];
}

/** Checks the log, lists and transactions of a purchase. */
function checkTraces(family: FamilyPath): Check[] {
  return [
    check(
      `The log of a purchase of ${family} goes from ACCEPTED to DONE`,
      "purchase-log",
      async (target, findings) => {
        const { record } = await buyOnce(target, family);
        const log = (record.log ?? []) as Found[];
        findings.equal("the first status", log[0]?.status, "ACCEPTED");
        findings.equal("the last status", log.at(-1)?.status, record.status);
        const times = log.map(({ dateTime }) => String(dateTime));
        findings.equal("the times of the log, in order", times, times.toSorted());
      },
    ),
    check(
      `Lists and filters contain a purchase of ${family}`,
      "list-created-at",
      async (target, findings) => {
        const { record } = await buyOnce(target, family);
        const { transactionId, createdAt, status } = record;
        for (const filter of [
          `createdAt=${createdAt}`,
          `createdAt=gte${createdAt}&status=${status}`,
        ]) {
          const page = await target.get(`/${family}/purchases?_limit=1024&_offset=0&${filter}`);
          const ids = (page.body?.list ?? []).map((item: Found) => item.transactionId);
          findings.holds(`${filter} contains ${transactionId}`, ids.includes(transactionId), ids);
        }
        const later = await target.get(
          `/${family}/purchases?_limit=1024&_offset=0&createdAt=gt${createdAt}`,
        );
        const ids = (later.body?.list ?? []).map((item: Found) => item.transactionId);
        findings.holds(
          `createdAt=gt leaves ${transactionId} out`,
          !ids.includes(transactionId),
          ids,
        );
      },
    ),
    check(
      `A purchase of ${family} is also a transaction`,
      "record-generic-transaction",
      async (target, findings) => {
        const { record } = await buyOnce(target, family);
        const reply = await target.get(`/transactions/${record.transactionId}`);
        if (!findings.answered(reply, TRANSACTION)) return;
        const { amount, type, status, createdAt, log } = reply.body;
        findings.equal(
          "amount, type and status",
          [amount, type, status],
          [record.cost, "DEBIT", record.status],
        );
        findings.equal("createdAt and log", [createdAt, log], [record.createdAt, record.log]);
      },
    ),
  ];
}

const TOPUPS = [
  check(
    "A purchase lowers the balance by its cost, and a repeat by nothing",
    "ledger-hold-first",
    async (target, findings) => {
      if (!target.options.isTest) throw new Skipped("Others sell with a live wallet meanwhile.");
      const order = await chooseOrder(target, "topups");
      const before = (await target.get("/balance")).body.availableBalance;
      const { record, order: sent } = await buy(target, "topups", order);
      await target.post("/topups/purchases", sent);
      const after = (await target.get("/balance")).body.availableBalance;
      findings.equal("the fall of availableBalance", before - after, record.cost);
    },
  ),
  check(
    "An id is used once for all families",
    "idempotency-transaction-id",
    async (target, findings) => {
      const { order } = await buyOnce(target, "topups");
      const other = { ...(await chooseOrder(target, "esim")), transactionId: order.transactionId };
      const reply = await target.post("/esim/purchases", other);
      findings.refused(reply, 400, "DUPLICATE_TRANSACTION_ID", ["transactionId"]);
    },
  ),
  check("A FIXED offer takes no value", "money-value-range", async (target, findings) => {
    const order = await chooseOrder(target, "topups");
    const value = { type: "PRICE", value: 1 };
    const body = { ...order, transactionId: target.createId(), value };
    const reply = await target.post("/topups/purchases", body);
    findings.refused(reply, 400, "VALUE_NOT_ALLOWED", ["value"]);
  }),
  check(
    "A RANGE offer needs a value within its limits",
    "money-value-range",
    async (target, findings) => {
      const { value: _, ...order } = await chooseTopup(target, "RANGE");
      const post = (value?: object) =>
        target.post("/topups/purchases", { ...order, transactionId: target.createId(), value });
      findings.refused(await post(), 400, "VALUE_REQUIRED", ["value"]);
      const tooMuch = await post({ type: "PRICE", value: Number.MAX_SAFE_INTEGER });
      findings.refused(tooMuch, 400, "VALUE_OUT_OF_RANGE", ["value"]);
    },
  ),
  check("A RANGE purchase records its value", "money-value-types", async (target, findings) => {
    const order = await chooseTopup(target, "RANGE");
    const { record } = await buy(target, "topups", order);
    findings.equal("status", record.status, "DONE");
    findings.equal("value", record.value, order.value);
    findings.equal("priceType", record.priceType, "RANGE");
  }),
  check(
    "An offer of another family is OFFER_NOT_FOUND",
    "offer-not-for-sale",
    async (target, findings) => {
      const { offerId } = await chooseOrder(target, "esim");
      const order = { ...(await chooseOrder(target, "topups")), offerId };
      const reply = await target.post("/topups/purchases", {
        ...order,
        transactionId: target.createId(),
      });
      findings.refused(reply, 400, "OFFER_NOT_FOUND", ["offerId"]);
    },
  ),
  check("A disabled offer is OFFER_DISABLED", "offer-not-for-sale", async (target, findings) => {
    const offers = await listOf(target, "/topups/offers");
    const offer = offers.find(({ enabled, priceType }) => !enabled && priceType === "FIXED");
    if (!offer) throw new Skipped("There is no disabled FIXED top-up.");
    const order = { ...(await chooseOrder(target, "topups")), offerId: offer.offerId };
    const reply = await target.post("/topups/purchases", {
      ...order,
      transactionId: target.createId(),
    });
    findings.refused(reply, 400, "OFFER_DISABLED", ["offerId"]);
  }),
  ...(["9001", "9002"] as const).map((ending) =>
    check(
      `A test recipient that ends in ${ending} fails`,
      "simulator-outcomes",
      async (target, findings) => {
        if (!target.options.isTest) {
          throw new Skipped("Only the test environment has such numbers.");
        }
        const order = await chooseOrder(target, "topups");
        const recipientPhoneNumber = String(order.recipientPhoneNumber).slice(0, -4) + ending;
        const { record } = await buy(target, "topups", { ...order, recipientPhoneNumber });
        const code = ending === "9001" ? "RECIPIENT_INVALID" : "PROVIDER_REJECTED";
        const { status, error = {} } = record;
        findings.equal("status and error.code", [status, error.code], ["FAILED", code]);
        const texts = [error.description, error.message].filter((text) => typeof text === "string");
        findings.equal("the texts of the error", texts.length, 2);
      },
    ),
  ),
];

const VOUCHERS = [
  check(
    "A missing required field is REQUIRED_FIELD_MISSING",
    "voucher-fields",
    async (target, findings) => {
      const order = await chooseOrder(target, "vouchers");
      if ((order.fields as unknown[]).length === 0) {
        throw new Skipped("The voucher needs no field.");
      }
      const body = { ...order, fields: [], transactionId: target.createId() };
      findings.refused(
        await target.post("/vouchers/purchases", body),
        400,
        "REQUIRED_FIELD_MISSING",
      );
    },
  ),
  check(
    "A delivered voucher has a receipt with its code or link",
    "voucher-receipt",
    async (target, findings) => {
      const { record } = await buyOnce(target, "vouchers");
      const { receipt = {} } = record;
      const texts = [receipt.epin, receipt.redemptionUrl, receipt.accountId, receipt.voucherId];
      const has = texts.some((text) => typeof text === "string" && text !== "");
      findings.holds("a code, link or credited account", has, Object.keys(receipt));
    },
  ),
];

const ESIMS = [
  check("A delivered eSIM can be installed", "esim-confirmation", async (target, findings) => {
    const { confirmation = {} } = (await buyOnce(target, "esim")).record;
    findings.holds(
      "an ICCID of 19 or 20 digits",
      /^89\d{17,18}$/.test(confirmation.iccid),
      confirmation.iccid,
    );
    for (const name of ["smdpAddress", "activationCode"]) {
      findings.holds(`a ${name}`, Boolean(confirmation[name]), confirmation[name]);
    }
  }),
  check(
    "An eSIM is refunded once, as a CREDIT of its cost",
    "refund-credit",
    async (target, findings) => {
      const { record } = await buy(target, "esim", await chooseOrder(target, "esim"));
      const path = `/esim/purchases/${record.transactionId}/refund`;
      const reply = await target.post(path);
      if (!findings.answered(reply, REFUND)) return;
      const { amount, type, refundedTransactionId, transactionId } = reply.body;
      findings.equal("amount and type", [amount, type], [record.cost, "CREDIT"]);
      findings.equal("refundedTransactionId", refundedTransactionId, record.transactionId);
      findings.holds("an id of its own", transactionId !== record.transactionId, transactionId);
      const refund = await waitFor(target, path, isFinal, MINUTE);
      findings.equal("the refund's status", refund.status, "DONE");
      findings.refused(await target.post(path), 400, "REFUND_NOT_ALLOWED");
    },
  ),
];

const BILLS = [
  check("A bill states its amount and cost", "bill-retrieval", async (target, findings) => {
    const { value } = await chooseOrder(target, "billpay");
    const due = (value as { value: unknown }).value;
    findings.holds("send > 0", Number(due) > 0, due);
  }),
];

export const PURCHASE_CHECKS: readonly Check[] = [
  ...OF_EVERY_FAMILY,
  ...TOPUPS,
  ...VOUCHERS,
  ...ESIMS,
  ...BILLS,
];

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

async function buy(
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
