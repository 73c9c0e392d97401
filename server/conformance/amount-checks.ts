import { parse } from "csv-parse/sync";
import { SECOND, toTimestamp } from "../lib/clock.ts";
import { Exact, toMajor, toMinor } from "../lib/money.ts";
import { type Check, type Findings, Skipped, type Stage } from "./check.ts";
import {
  FAMILY_PATHS,
  type FamilyPath,
  type Found,
  findBill,
  findEsim,
  listOf,
  requestReport,
} from "./finds.ts";
import { buyOnce, chooseOrder, chooseTopup, isFinal } from "./purchase-checks.ts";
import type { Target } from "./target.ts";

/** Amounts that a purchase must have by the terms of its offer, independent of the tested gateway. */

interface Value {
  readonly type: string;
  readonly value: number;
}

interface Bases {
  readonly costBase: number;
  readonly priceBase: number;
  readonly send: number;
}

/** Returns the amounts of a record and their units (rules#money-value-types). */
function computeAmounts(offer: Found, value: Value | undefined): Record<string, unknown> {
  const { cost, price, send } = offer;
  const bases = value === undefined ? fixedBases(offer) : rangeBases(offer, value);
  const costFee = computeCostFee(offer, bases.costBase);
  return {
    cost: bases.costBase + costFee,
    costBase: bases.costBase,
    costFee,
    costCurrency: cost.currency,
    costCurrencyDivisor: cost.currencyDivisor,
    price: bases.priceBase + Number(price.fee),
    priceBase: bases.priceBase,
    priceFee: price.fee,
    priceCurrency: price.currency,
    priceCurrencyDivisor: price.currencyDivisor,
    ...(send && {
      send: bases.send,
      sendCurrency: send.currency,
      sendCurrencyDivisor: send.currencyDivisor,
    }),
  };
}

/** Returns the amounts of a retrieved bill (rules#bill-retrieval). */
function computeBill(offer: Found, due: number): Record<string, unknown> {
  const { cost, price, send } = offer;
  const { costBase, priceBase } = rangeBases(offer, { type: "ZEND", value: due });
  const costFeeTotal = computeCostFee(offer, costBase);
  return {
    sendCurrency: send.currency,
    sendCurrencyDivisor: send.currencyDivisor,
    cost: costBase,
    costCurrency: cost.currency,
    costCurrencyDivisor: cost.currencyDivisor,
    costFee: cost.fee,
    costFeePct: cost.feePct,
    costFeeTotal,
    costTotal: costBase + costFeeTotal,
    price: priceBase,
    priceCurrency: price.currency,
    priceCurrencyDivisor: price.currencyDivisor,
    priceFee: price.fee,
  };
}

/** Adds a difference for each field of `expected` that the record has with another value. */
function compareFields(
  findings: Findings,
  subject: string,
  came: Found,
  expected: Record<string, unknown>,
): void {
  for (const [name, value] of Object.entries(expected)) {
    findings.equal(`${subject}: ${name}`, came?.[name], value);
  }
}

function fixedBases({ cost, price, send }: Found): Bases {
  return { costBase: cost.fixed, priceBase: price.fixed, send: send?.fixed ?? 0 };
}

function rangeBases(offer: Found, { type, value }: Value): Bases {
  const unit = offer.send ?? offer.cost;
  const paid = { PRICE: offer.price, COST: offer.cost }[type];
  const send = paid
    ? toMinor(toMajor(value, paid.currencyDivisor).mul(paid.fx), unit.currencyDivisor, "down")
    : value;
  const convert = ({ fx, currencyDivisor }: Found) =>
    toMinor(toMajor(send, unit.currencyDivisor).div(new Exact(fx)), currencyDivisor, "up");
  return {
    costBase: type === "COST" ? value : convert(offer.cost),
    priceBase: type === "PRICE" ? value : convert(offer.price),
    send,
  };
}

/** rules#money-fees-on-top */
function computeCostFee({ cost }: Found, costBase: number): number {
  const share = toMajor(costBase, cost.currencyDivisor).mul(cost.feePct).div(100);
  return Number(cost.fee) + toMinor(share, cost.currencyDivisor, "up");
}

/** Checks that the same amount is the same in an offer, its quote, record, list rows and report. */

function check(stage: Stage, name: string, clause: string, run: Check["run"]): Check {
  return { name, clause, stage, run };
}

const RECORD_LISTS: readonly { path: string; id: string; stage: Stage }[] = [
  ...FAMILY_PATHS.map((family) => ({
    path: `/${family}/offers`,
    id: "offerId",
    stage: "read" as const,
  })),
  { path: "/promos", id: "id", stage: "read" },
  ...FAMILY_PATHS.map((family) => ({
    path: `/${family}/purchases`,
    id: "transactionId",
    stage: "records" as const,
  })),
  { path: "/transactions", id: "transactionId", stage: "records" },
];

const ROWS = RECORD_LISTS.map(({ path, id, stage }) =>
  check(stage, `A row of GET ${path} equals its record`, "record-whole", async (target, finds) => {
    const rows = await listOf(target, path);
    // The record of a purchase under way changes between two reads.
    const row = stage === "read" ? rows[0] : rows.find(isFinal);
    if (row === undefined) throw new Skipped(`${path} has no row to compare.`);
    const reply = await target.get(`${path}/${encodeURIComponent(row[id])}`);
    if (finds.answered(reply)) compareFields(finds, reply.request, row, reply.body);
  }),
);

const PLANS = check(
  "records",
  "The plans of an eSIM state the data of its purchase",
  "esim-plans",
  async (target, findings) => {
    const { confirmation, offerId, dataGB, dataUnlimited } = await findEsim(target);
    const { body } = await target.get(`/esim/${confirmation.iccid}/plans`);
    for (const plan of (body?.list ?? []) as Found[]) {
      const { initialDataGB, remainingDataGB, reamainingDataGB } = plan;
      findings.equal("reamainingDataGB = remainingDataGB", reamainingDataGB, remainingDataGB);
      const isPart = remainingDataGB >= 0 && remainingDataGB <= initialDataGB;
      findings.holds("remainingDataGB ≤ initialDataGB", isPart, plan);
      if (plan.offerId !== offerId || dataUnlimited) continue;
      findings.equal("initialDataGB", initialDataGB, dataGB);
    }
  },
);

const BILL = check(
  "read",
  "A bill has the amounts of its offer",
  "bill-retrieval",
  async (target, findings) => {
    const { offer, query } = await findBill(target);
    const path = `/billpay/offers/${offer.offerId}/bill?${new URLSearchParams(query)}`;
    const reply = await target.get(path);
    if (!findings.answered(reply)) return;
    compareFields(findings, "the bill", reply.body, computeBill(offer, reply.body.send));
  },
);

/** Fields of a record that its report row has under the same name. */
const REPORTED = [
  "offerId",
  "brand",
  "country",
  "productType",
  "status",
  "cost",
  "costCurrency",
  "costCurrencyDivisor",
  "price",
  "priceCurrency",
  "priceCurrencyDivisor",
  "send",
  "sendCurrency",
  "sendCurrencyDivisor",
  "createdAt",
];

const OF_EVERY_FAMILY = FAMILY_PATHS.flatMap((family) => [
  check(
    "sell",
    `A purchase of ${family} has the amounts of its offer`,
    "money-value-types",
    async (target, findings) => {
      const { record, order, offer } = await buyOnce(target, family);
      compareFields(findings, "the record", record, computeAmounts(offer, order.value));
    },
  ),
  check(
    "sell",
    `A quote of ${family} equals its purchase and buys nothing`,
    "purchase-quote",
    (target, findings) => checkQuote(target, findings, family),
  ),
  check(
    "sell",
    `A report has the amounts of a purchase of ${family}`,
    "report-file",
    async (target, findings) => {
      const { record } = await buyOnce(target, family);
      const end = Date.parse(record.updatedAt) + SECOND;
      const period = { startGte: record.createdAt, endLt: toTimestamp(end) };
      const { reportId, file } = await requestReport(target, period);
      const { bytes } = await target.get(`/reports/transactions/${reportId}/${file?.name}`);
      const rows = parse(bytes, { columns: true }) as Record<string, string>[];
      const row = rows.find(({ transactionId }) => transactionId === record.transactionId);
      findings.holds(`a row of ${record.transactionId}`, row !== undefined, `${rows.length} rows`);
      if (row === undefined) return;
      const expected = REPORTED.map((name) => [name, String(record[name] ?? "")]);
      compareFields(findings, "the row", row, Object.fromEntries(expected));
    },
  ),
]);

async function checkQuote(target: Target, findings: Findings, family: FamilyPath): Promise<void> {
  const { offer } = await buyOnce(target, family);
  const order = await chooseOrder(target, family);
  const transactionId = target.createId();
  const path = `/${family}/purchases`;
  const reply = await target.post(path, { ...order, transactionId, validateOnly: true });
  if (findings.answered(reply)) {
    const expected = { transactionId, ...order, ...computeAmounts(offer, order.value) };
    compareFields(findings, "the quote", reply.body, { ...expected, status: undefined });
  }
  findings.refused(await target.get(`${path}/${transactionId}`), 404, "NOT_FOUND");
}

const RANGE = check(
  "sell",
  "A RANGE offer has exact amounts for a value of each type",
  "money-exact-arithmetic",
  async (target, findings) => {
    const { value: _, ...order } = await chooseTopup(target, "RANGE");
    const { body: offer } = await target.get(`/topups/offers/${order.offerId}`);
    const bounds = { PRICE: offer.price, COST: offer.cost, ZEND: offer.send };
    for (const [type, { min }] of Object.entries<Found>(bounds)) {
      const value = { type, value: min };
      const body = { ...order, transactionId: target.createId(), value, validateOnly: true };
      const reply = await target.post("/topups/purchases", body);
      if (!findings.answered(reply)) continue;
      compareFields(findings, `a quote by ${type}`, reply.body, computeAmounts(offer, value));
    }
  },
);

export const AMOUNT_CHECKS: readonly Check[] = [...ROWS, PLANS, BILL, ...OF_EVERY_FAMILY, RANGE];
