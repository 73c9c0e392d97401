import { ERROR_STATUS } from "../../contract/error-codes.ts";
import { FAMILY_FACTS } from "../../contract/pos/families.ts";
import type { EsimPlan } from "../../contract/v1/esims.ts";
import type { Fulfilment } from "../../contract/v1/fulfilment.ts";
import { SUPPLIED_FAMILIES } from "../families/index.ts";
import { FieldReader } from "../field-reader.ts";
import type { BillQuery, BillReading, EsimUsage, Order, Reading } from "../provider.ts";

/** State of a purchase at the upstream. OPEN: not final. */
type RecordState = "DONE" | "FAILED" | "OPEN";

const OPEN_STATES = ["ACCEPTED", "PENDING", "AUTHORIZED", "IN_PROGRESS"];
const PLAN_STATUSES = ["ACTIVE", "QUEUED"] as const;

/** Unused fields. They are read so that they are not noted as unknown. */
const UNUSED_TEXTS = [
  ["brand", "brandName", "country", "productType", "priceType", "notes", "shortNotes"],
  ["priceCurrency", "sendCurrency"],
].flat();
const UNUSED_TIMES = ["createdAt", "updatedAt"];
const UNUSED_AMOUNTS = [
  ["costBase", "costFee", "costCurrencyDivisor", "price", "priceBase", "priceFee"],
  ["priceCurrencyDivisor", "send", "sendCurrencyDivisor"],
].flat();

interface RecordDetails {
  fulfilment: Fulfilment | undefined;
  errorCode: string;
  /** Empty if the upstream gives no reason. */
  message: string;
  /** Cost in minor units; undefined if the response states no cost. */
  cost: number | undefined;
  costCurrency: string;
  /**
   * Whether the offer and recipient in the response match the order, as far as they are readable.
   */
  isEchoed: boolean;
}

/**
 * Reads a purchase record. `status` determines the decision, unless `transactionId` names another
 * transaction.
 */
export function readRecord(order: Order, body: unknown): Reading<RecordState, RecordDetails> {
  const reader = new FieldReader(body);
  const isOwn = isOfTransaction(reader, order.transactionId);
  const state = readState(reader);
  const error = reader.part("error", state === "FAILED" ? "needed" : "optional");
  const fulfilment = isOwn && state === "DONE" ? readFulfilment(order, reader) : undefined;
  const details = {
    fulfilment,
    errorCode: error.text("code", state === "FAILED" ? "expected" : "optional").toUpperCase(),
    message: error.text("message") || error.text("description"),
    cost: reader.amount("cost"),
    costCurrency: reader.word("costCurrency") || order.offer.cost.currency,
    isEchoed: readEcho(order, reader),
  };
  for (const name of UNUSED_TEXTS) reader.text(name);
  for (const name of UNUSED_TIMES) reader.time(name);
  for (const name of UNUSED_AMOUNTS) reader.amount(name);
  return { decided: isOwn ? state : undefined, details, deviations: reader.deviations };
}

/**
 * Reads the response to a submission. Any state in the response means that the upstream accepted
 * the order.
 */
export function readAcceptance(order: Order, body: unknown): Reading<"ACCEPTED", undefined> {
  const reader = new FieldReader(body);
  const isOwn = isOfTransaction(reader, order.transactionId);
  const state = readState(reader);
  const decided = isOwn && state !== undefined ? "ACCEPTED" : undefined;
  if (!reader.isObject) reader.note("(answer)", "UNREADABLE");
  return { decided, details: undefined, deviations: reader.deviations };
}

export function readRefund(body: unknown): Reading<RecordState, { message: string }> {
  const reader = new FieldReader(body);
  const state = readState(reader);
  const error = reader.part("error");
  const message = error.text("message") || error.text("description");
  return { decided: state, details: { message }, deviations: reader.deviations };
}

/**
 * Reads an eSIM's plans. Treats zero times as missing: an eSIM is used only if the response clearly
 * says so.
 */
export function readPlans(iccid: string, body: unknown): EsimUsage {
  const reader = new FieldReader(body);
  const installedAt = Date.parse(reader.time("firstInstalledAt"));
  const plans = (reader.parts("list") ?? []).map((plan) => readPlan(iccid, plan));
  const firstInstalledAt = Number.isNaN(installedAt) ? undefined : installedAt;
  if (!reader.isObject) reader.note("(answer)", "UNREADABLE");
  return {
    decided: reader.isObject
      ? { firstInstalledAt, isPlanUsed: plans.some(({ isUsed }) => isUsed) }
      : undefined,
    details: plans.flatMap(({ plan }) => plan ?? []),
    deviations: reader.deviations,
  };
}

/**
 * Reads the amount due, which is in the offer's currency if the response states none. Ignores
 * another currency.
 */
export function readBill({ offer }: BillQuery, body: unknown): BillReading {
  const reader = new FieldReader(body);
  const { currency, currencyDivisor } = offer.send;
  const stated = reader.word("sendCurrency", "expected") || currency;
  const divisor = reader.amount("sendCurrencyDivisor") || currencyDivisor;
  const send = reader.amount("send", "needed");
  const amountDue = send === undefined ? undefined : (send * currencyDivisor) / divisor;
  if (stated !== currency) reader.note("sendCurrency", "DIFFERS", true);
  const isReadable = stated === currency && Number.isSafeInteger(amountDue) && amountDue !== 0;
  if (send !== undefined && stated === currency && !isReadable) reader.note("send", "UNREADABLE");
  return {
    decided: isReadable ? { amountDue } : undefined,
    details: undefined,
    deviations: reader.deviations,
  };
}

function readPlan(
  iccid: string,
  reader: FieldReader,
): { plan: EsimPlan | undefined; isUsed: boolean } {
  const initial = reader.number("initialDataGB");
  const remaining = reader.number("remainingDataGB") ?? reader.number("reamainingDataGB");
  const startAt = reader.time("startAt");
  const unlimited = reader.flag("unlimited") ?? false;
  const stated = reader.word("status");
  const status = PLAN_STATUSES.find((known) => stated === known);
  const remainingDataGB = remaining ?? initial ?? 0;
  const isLess = initial !== undefined && remaining !== undefined && remaining < initial;
  // A remaining amount of zero may mean "unknown". Unlimited data has no used amount.
  const isUsed = !unlimited && isLess && (remaining > 0 || startAt !== "");
  const plan = {
    description: reader.text("description"),
    endAt: reader.time("endAt", "optional", "23:59:59Z"),
    iccid,
    initialDataGB: initial ?? remainingDataGB,
    offerId: reader.text("offerId"),
    reamainingDataGB: remainingDataGB,
    remainingDataGB,
    startAt,
    unlimited,
  };
  // An expired plan or a plan in an unknown state does not make the eSIM used.
  return { plan: status && { ...plan, status }, isUsed: isUsed && (stated === "" || !!status) };
}

function isOfTransaction(reader: FieldReader, transactionId: string): boolean {
  if (!reader.isObject) return false;
  const stated = reader.raw("transactionId");
  if (typeof stated !== "string" && typeof stated !== "number") {
    reader.note("transactionId", stated === undefined ? "MISSING" : "UNREADABLE", false);
    return true;
  }
  const isSame = String(stated).trim().toLowerCase() === transactionId.toLowerCase();
  if (!isSame) reader.note("transactionId", "DIFFERS", true);
  else if (stated !== transactionId) reader.note("transactionId", "CONVERTED");
  return isSame;
}

function readState(reader: FieldReader): RecordState | undefined {
  const word = reader.isObject ? reader.word("status", "needed") : "";
  if (word === "") return undefined;
  if (word === "DONE" || word === "FAILED") return word;
  if (!OPEN_STATES.includes(word)) reader.note("status", "DIFFERS");
  return "OPEN";
}

/** Compares the response with the order, and notes differences. */
function readEcho(order: Order, reader: FieldReader): boolean {
  const { offer, recipient, extras } = order;
  const isOffer = isAlike(reader.text("offerId"), offer.offerId);
  if (!isOffer) reader.note("offerId", "DIFFERS");
  const isNumber = FAMILY_FACTS[offer.productType].recipientKind === "number";
  const isRecipient = !isNumber || isAlike(reader.text("recipientPhoneNumber"), recipient);
  if (!isRecipient) reader.note("recipientPhoneNumber", "DIFFERS");
  const wanted = new Map(extras.fields?.map(({ key, value }) => [key, value]));
  const stated = reader.raw("fields") === undefined ? [] : (reader.parts("fields") ?? []);
  const areFields = stated.every((field) =>
    isAlike(field.text("value"), wanted.get(field.text("key")) ?? ""),
  );
  if (!areFields) reader.note("fields", "DIFFERS");
  return isOffer && isRecipient && areFields;
}

/** Compares only the letters and digits of two texts. An empty text equals any text. */
function isAlike(stated: string, wanted: string): boolean {
  const [a, b] = [stated, wanted].map((text) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, ""));
  return a === "" || b === "" || a === b;
}

function readFulfilment(order: Order, reader: FieldReader): Fulfilment {
  const family = SUPPLIED_FAMILIES[order.offer.productType];
  const isProof = family.confirmation === "needed";
  const given = reader.part("confirmation", isProof ? "needed" : "expected");
  const isExpected = given.isObject ? "expected" : "optional";
  const confirmation = {
    confirmationNumber: given.text(
      "confirmationNumber",
      given.isObject ? family.confirmation : "optional",
    ),
    externalReferenceId: given.text("externalReferenceId", isExpected),
    transactionTime:
      given.time("transactionTime", family.confirmation === "optional" ? "optional" : isExpected) ||
      reader.time("updatedAt"),
  };
  return { confirmation, ...family.readDelivered(order, reader) };
}

/**
 * DENIED: the upstream does not accept the key. LATER: nothing was booked, and a later attempt may
 * succeed. BOOKED: the upstream has a purchase with this transaction id. FUNDS_SHORT and REJECTED
 * are final.
 */
type RefusalKind =
  | "DENIED"
  | "LATER"
  | "NOT_FOUND"
  | "BOOKED"
  | "FUNDS_SHORT"
  | "REFUND_NOT_ALLOWED"
  | "BILL_NOT_FOUND"
  | "REJECTED";

interface Refusal {
  kind: RefusalKind;
  /** Whether status and body agree. If not, the upstream may have booked the submission. */
  isCertain: boolean;
}

interface RefusalDetails {
  /** Empty if neither body nor status implies a code. */
  errorCode: string;
  message: string;
  fields: Record<string, string>;
}

/** Codes for statuses of responses without an error body (rules#error-statuses). */
const STATUS_CODES: Readonly<Record<number, string>> = {
  401: "NOT_AUTHORIZED",
  403: "FORBIDDEN",
  429: "RATE_LIMITED",
};
/** Statuses after which the server may have processed the request. */
const UNSURE_STATUSES: readonly number[] = [408, 425];
const UNSURE_CODES = ["INTERNAL_ERROR", "SYSTEM_UNAVAILABLE"];
const LATER_CODES = ["RATE_LIMITED", "METHOD_NOT_ALLOWED", "UNSUPPORTED_MEDIA_TYPE"];
const BOOKED_CODE = /DUPLICATE|CONFLICT|ALREADY/;
const FUNDS_CODE = /INSUFFICIENT_?(FUNDS|BALANCE)/;
const LONGEST_MESSAGE = 200;

/**
 * Reads a refusal. The body may have different fields, be nested in `error`, or contradict the
 * status.
 * @param key key to remove from the message
 */
export function readRefusal(
  { status, body }: { status: number; body: unknown },
  key: string,
): Reading<Refusal, RefusalDetails> {
  const reader = new FieldReader(body);
  const nested = readErrorPart(reader);
  const stated = codeOf(reader) || codeOf(nested);
  const errorCode = stated || (STATUS_CODES[status] ?? "");
  const words = reader.text("message") || nested.text("message") || nested.text("description");
  const details = {
    errorCode,
    message: words === "" ? `It answers ${status}.` : tidy(words, key),
    fields: fieldsOf(reader),
  };
  if (reader.isObject && stated === "") reader.note("errorCode", "MISSING", true);
  const decided = decide(status, errorCode, reader);
  // A proxy's page with the status proves nothing about the submission.
  if (decided && stated === "" && errorCode !== "") decided.isCertain = false;
  return { decided, details, deviations: reader.deviations };
}

function decide(status: number, code: string, reader: FieldReader): Refusal | undefined {
  const isClientError = status >= 400 && status < 500;
  const isKnown = code in ERROR_STATUS || BOOKED_CODE.test(code) || FUNDS_CODE.test(code);
  if (UNSURE_CODES.includes(code) || UNSURE_STATUSES.includes(status)) return undefined;
  if (code === "") {
    // A server refuses invalid requests before booking, even if the error code is unreadable.
    const isRefused = (status === 400 || status === 422) && reader.isObject;
    if (isRefused) return { kind: "REJECTED", isCertain: false };
    return status === 409 && reader.isObject ? { kind: "BOOKED", isCertain: true } : undefined;
  }
  if (!isClientError && !isKnown) return undefined;
  return { kind: kindOf(status, code), isCertain: isClientError };
}

function kindOf(status: number, code: string): RefusalKind {
  if (code === "NOT_AUTHORIZED" || code === "FORBIDDEN") return "DENIED";
  if (BOOKED_CODE.test(code) || status === 409) return "BOOKED";
  if (code === "REFUND_NOT_ALLOWED" || code === "BILL_NOT_FOUND") return code;
  if (FUNDS_CODE.test(code) || status === 402) return "FUNDS_SHORT";
  if (LATER_CODES.includes(code) || status === 429) return "LATER";
  const isNotFound = code === "NOT_FOUND" || (status === 404 && code.includes("NOT_FOUND"));
  if (isNotFound && code !== "OFFER_NOT_FOUND") return "NOT_FOUND";
  return "REJECTED";
}

function codeOf(reader: FieldReader): string {
  const code = reader.text("errorCode") || reader.text("code");
  return code.toUpperCase().replaceAll(/[\s-]+/g, "_");
}

/** Returns the part of the body with the error. A text in `error` is the code. */
function readErrorPart(reader: FieldReader): FieldReader {
  const error = reader.raw("error");
  return new FieldReader(typeof error === "string" ? { code: error } : error);
}

function fieldsOf(reader: FieldReader): Record<string, string> {
  const fields = reader.raw("fields");
  if (typeof fields !== "object" || fields === null) return {};
  return Object.fromEntries(Object.entries(fields).map(([name, rule]) => [name, String(rule)]));
}

/** Shortens a provider's text to one line without the key. */
export function tidy(words: string, key: string): string {
  const plain = words
    .replaceAll(key, "…")
    .replace(/\p{C}+/gu, " ")
    .trim();
  return plain.length > LONGEST_MESSAGE ? `${plain.slice(0, LONGEST_MESSAGE)}…` : plain;
}
