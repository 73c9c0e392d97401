import { ERROR_STATUS } from "../../contract/error-codes.ts";
import { FieldReader } from "../field-reader.ts";
import type { Reading } from "../provider.ts";

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
