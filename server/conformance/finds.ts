import { SECOND } from "../lib/clock.ts";
import { Skipped } from "./check.ts";
import type { Target } from "./target.ts";

/** Finds records of the tested gateway, because the checks know no catalog. */

export const FAMILY_PATHS = ["topups", "vouchers", "esim", "billpay"] as const;
export type FamilyPath = (typeof FAMILY_PATHS)[number];

// biome-ignore lint/suspicious/noExplicitAny: records of any gateway.
export type Found = any;

const WHOLE_PAGE = "_limit=1024&_offset=0";
const MAX_BRANDS = 40;
const REPORT_TIMEOUT_MS = 60 * SECOND;
const POLL_MS = SECOND / 4;

export function listOf(target: Target, path: string): Promise<Found[]> {
  return target.find(`list ${path}`, async () => {
    const separator = path.includes("?") ? "&" : "?";
    const { body } = await target.get(`${path}${separator}${WHOLE_PAGE}`);
    return Array.isArray(body?.list) ? (body.list as Found[]) : [];
  });
}

async function firstOf(target: Target, path: string, subject: string): Promise<Found> {
  const [first] = await listOf(target, path);
  if (first === undefined) throw new Skipped(`There is no ${subject}.`);
  return first;
}

export function findOffer(target: Target, family: FamilyPath): Promise<Found> {
  return firstOf(target, `/${family}/offers`, `offer of ${family}`);
}

function findPurchase(target: Target, family: FamilyPath): Promise<Found> {
  return firstOf(target, `/${family}/purchases`, `purchase of ${family}`);
}

export async function findEsim(target: Target): Promise<Found> {
  const list = await listOf(target, "/esim/purchases");
  // A refunded eSIM has no QR code and no plans.
  const done = list.find(({ status, refund }) => status === "DONE" && refund === undefined);
  if (done === undefined) throw new Skipped("There is no delivered eSIM.");
  return done;
}

async function findRefund(target: Target): Promise<Found> {
  const list = await listOf(target, "/esim/purchases");
  const refunded = list.find(({ refund }) => refund !== undefined);
  if (refunded === undefined) throw new Skipped("There is no refunded eSIM.");
  return refunded;
}

interface Instructions {
  brand: string;
  country: string;
  deliveryType: string;
}

function findInstructions(target: Target): Promise<Instructions> {
  return target.find("instructions", async () => {
    const offers = await listOf(target, "/vouchers/offers");
    const brands = [...new Set(offers.map(({ brand }) => String(brand)))].slice(0, MAX_BRANDS);
    for (const brand of brands) {
      const { body } = await target.get(`/brands/${encodeURIComponent(brand)}`);
      const [first] = body?.redemptionInstructions ?? [];
      if (first) return { brand, country: first.country, deliveryType: first.deliveryType };
    }
    throw new Skipped("No brand has redemption instructions.");
  });
}

function findReport(target: Target): Promise<Found> {
  const period = { startGte: "2026-01-01T00:00:00Z", endLt: "2026-01-02T00:00:00Z" };
  return target.find("report", () => requestReport(target, period));
}

/** Requests a report and waits until it is finished. */
export async function requestReport(
  target: Target,
  period: { startGte: string; endLt: string },
): Promise<Found> {
  const { body } = await target.post("/reports/transactions", period);
  if (typeof body?.reportId !== "string") throw new Skipped("No report was made.");
  const path = `/reports/transactions/${body.reportId}`;
  // A report is polled at most once a second.
  await target.pause(SECOND);
  const isFinished = ({ status }: Found) => status !== "REQUESTED";
  return waitFor(target, path, isFinished, REPORT_TIMEOUT_MS, SECOND);
}

/** Polls a record until it is finished, or until the timeout. */
export async function waitFor(
  target: Target,
  path: string,
  isFinished: (record: Found) => boolean,
  timeout_ms: number,
  interval_ms = POLL_MS,
): Promise<Found> {
  const { clock } = target.options;
  const end = clock.now() + timeout_ms;
  for (;;) {
    const { body } = await target.get(path);
    if (isFinished(body ?? {}) || clock.now() >= end) return body;
    await target.pause(interval_ms);
  }
}

/** Invented values for the fields of a biller; a real account is never queried. */
function inventField(name: string, mask: string, recipient: string): string {
  if (/e-?mail/i.test(name)) return "conformance@example.com";
  if (/msisdn|phone|mobile/i.test(name)) return recipient;
  if (/name/i.test(name)) return "Ana";
  if (mask === "") return "1234567890";
  return mask.replaceAll("9", "1").replaceAll("a", "A").replaceAll("*", "A");
}

interface FoundBill {
  offer: Found;
  fields: { key: string; value: string }[];
  query: Record<string, string>;
}

export function findBill(target: Target): Promise<FoundBill> {
  return target.find("bill", async () => {
    if (!target.options.isTest) throw new Skipped("Live accounts are not queried.");
    const offers = await listOf(target, "/billpay/offers");
    const offer = offers.find(
      ({ enabled, priceType, supportsBillRetrieval }) =>
        enabled && priceType === "RANGE" && supportsBillRetrieval,
    );
    if (!offer) throw new Skipped("No biller supports the retrieval of bills.");
    const fields = await inventFields(target, offer, offer.requiredFields);
    const asked = await inventFields(target, offer, offer.billRetrievalRequiredFields);
    const query = Object.fromEntries(asked.map(({ key, value }) => [key, value]));
    return { offer, fields, query };
  });
}

export async function inventFields(
  target: Target,
  offer: Found,
  names: readonly string[] = [],
): Promise<{ key: string; value: string }[]> {
  const { body } = await target.get(`/brands/${encodeURIComponent(offer.brand)}`);
  const masks = new Map<string, string>(
    (body?.inputMasks ?? []).map((one: Found) => [one.requiredField, one.inputMask]),
  );
  const recipient = target.options.recipient ?? "";
  return names.map((key) => ({ key, value: inventField(key, masks.get(key) ?? "", recipient) }));
}

/** An offer that cannot exist, so that a wrongly accepted request buys nothing. */
export const NO_OFFER = "CONFORMANCE-NO-SUCH-OFFER";

interface Call {
  path?: Record<string, string>;
  query?: Record<string, string>;
  body?: Record<string, unknown>;
}

/** Calls that succeed, by operation; operations without parameters of their own are absent. */
const CALLS: Record<string, (target: Target) => Promise<Call>> = {
  "GET /brands/{brand}": async (target) => ({
    path: { brand: (await firstOf(target, "/brands", "brand")).brand },
  }),
  "GET /brands/{brand}/redemptionInstructions": async (target) => {
    const { brand, ...query } = await findInstructions(target);
    return { path: { brand }, query };
  },
  "GET /esim/purchases/{transactionId}/qrcode": async (target) => ({
    path: { transactionId: (await findEsim(target)).transactionId },
  }),
  "GET /esim/purchases/{transactionId}/refund": async (target) => ({
    path: { transactionId: (await findRefund(target)).transactionId },
  }),
  "GET /esim/{iccId}/plans": async (target) => ({
    path: { iccId: (await findEsim(target)).confirmation.iccid },
  }),
  "GET /billpay/offers/{offerId}/bill": async (target) => {
    const { offer, query } = await findBill(target);
    return { path: { offerId: offer.offerId }, query };
  },
  "GET /transactions/{transactionId}": async (target) => ({
    path: { transactionId: (await firstOf(target, "/transactions", "transaction")).transactionId },
  }),
  "GET /promos/{promoId}": async (target) => ({
    path: { promoId: (await firstOf(target, "/promos", "promotion")).id },
  }),
  "GET /reports/transactions/{reportId}": async (target) => ({
    path: { reportId: (await findReport(target)).reportId },
  }),
  "GET /reports/transactions/{reportId}/{file}": async (target) => {
    const { reportId, file } = await findReport(target);
    if (file === undefined) throw new Skipped("The report is not Ready.");
    return { path: { reportId, file: file.name } };
  },
  "GET /tools/phonenumberlookup/{msisdn}": async () => ({ path: { msisdn: "+50231234567" } }),
};

/** Returns a call of an operation. A purchase names an offer that does not exist. */
export async function findCall(target: Target, operation: string): Promise<Call> {
  const own = CALLS[operation];
  if (own) return own(target);
  const [method, path = ""] = operation.split(" ");
  const family = FAMILY_PATHS.find((name) => path.startsWith(`/${name}/`));
  if (family === undefined) return {};
  if (method === "POST") {
    const hasFields = family === "vouchers" || family === "billpay";
    const body = { offerId: NO_OFFER, transactionId: target.createId() };
    return { body: { ...body, ...(hasFields && { fields: [] }) } };
  }
  if (path.endsWith("{offerId}")) {
    return { path: { offerId: (await findOffer(target, family)).offerId } };
  }
  if (path.endsWith("{transactionId}")) {
    return { path: { transactionId: (await findPurchase(target, family)).transactionId } };
  }
  return {};
}
