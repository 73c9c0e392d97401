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
