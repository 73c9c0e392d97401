import { type Static, type TObjectOptions, type TProperties, Type } from "typebox";

/**
 * The two environments. A key of one environment never accesses the other
 * (rules#environment-apart).
 */
export const ENVIRONMENTS = ["test", "live"] as const;
export const Environment = Type.Enum(ENVIRONMENTS);
export type Environment = Static<typeof Environment>;

/** Values of `transactionStatus`; transitions: rules#purchase-states. */
export const TRANSACTION_STATUSES = [
  "DONE",
  "FAILED",
  "PENDING",
  "ACCEPTED",
  "AUTHORIZED",
  "IN_PROGRESS",
] as const;
export const TransactionStatus = Type.Enum(TRANSACTION_STATUSES, {
  title: "TransactionStatus",
  description: "Status of a transaction; DONE and FAILED are final",
});
export type TransactionStatus = Static<typeof TransactionStatus>;

const PRICE_TYPES = ["FIXED", "RANGE"] as const;
export const PriceType = Type.Enum(PRICE_TYPES, {
  title: "PriceType",
  description: "FIXED has one price, RANGE is bought with a value",
});
export type PriceType = Static<typeof PriceType>;

/** Region names, case sensitive. `Global` includes global eSIMs (rules#catalog-regions). */
const REGIONS = [
  "Global",
  "Africa",
  "Asia",
  "Caribbean",
  "Central America",
  "Eastern Europe",
  "Western Europe",
  "North America",
  "Oceania",
  "South America",
  "South Asia",
  "Southeast Asia",
  "Middle East and North Africa",
] as const;
export const Region = Type.Enum(REGIONS, {
  title: "Region",
  description: "A region, case sensitive; Global includes global eSIMs",
  examples: ["Central America"],
});
export type Region = Static<typeof Region>;

export const TOPUP_SUBTYPES = ["Mobile Top Up", "Mobile Bundle", "Mobile Data"] as const;
export const TopupSubtype = Type.Enum(TOPUP_SUBTYPES, {
  title: "TopupSubtype",
  description: "Kind of top-up offer",
});
export type TopupSubtype = Static<typeof TopupSubtype>;

/** RFC 3339, UTC, three decimals and `Z` (rules#record-timestamps). */
export const Timestamp = Type.String({
  format: "date-time",
  examples: ["2026-01-15T09:30:00.000Z"],
});

export const CountryCode = Type.String({
  pattern: "^[A-Z]{2}$",
  description: "an ISO 3166-1 country code of two capital letters",
  examples: ["GT"],
});

/** A language tag (BCP 47) in any case, such as `es` or `pt-BR`; only its first part is used. */
export const LanguageCode = Type.String({
  pattern: "^[A-Za-z]{2,3}([-_][A-Za-z0-9]{1,8})*$",
  maxLength: 64,
  description: "a language code such as es or pt-BR",
  examples: ["en"],
});

/** Returns the ISO 639-1 code of a language tag, in lower case. */
export function toLanguage(tag: string): string {
  return (tag.split(/[-_]/, 1)[0] ?? "").toLowerCase();
}

export const CurrencyCode = Type.String({ pattern: "^[A-Z]{3}$", examples: ["USD"] });

/** Divisor between minor and major units: 1, 10, 100 or 1000. */
export const CurrencyDivisor = Type.Integer({ minimum: 1, maximum: 1000, examples: [100] });

/** The unit of the amounts in the same object. */
export const currencyUnit = { currency: CurrencyCode, currencyDivisor: CurrencyDivisor };

/** An amount in minor units of the currency in the same object. */
export const MinorAmount = Type.Integer({
  minimum: -Number.MAX_SAFE_INTEGER,
  maximum: Number.MAX_SAFE_INTEGER,
});

/** E.164: `+`, a country calling code and the national number, 15 digits at most. */
export const PHONE_NUMBER_PATTERN = "^\\+[1-9][0-9]{6,14}$";
export const PhoneNumber = Type.String({
  pattern: PHONE_NUMBER_PATTERN,
  description: "a phone number in E.164 form, such as +50251234567",
  examples: ["+50251234567"],
});

/** The caller's id of a purchase (rules#idempotency-transaction-id). */
export const TransactionId = Type.String({
  pattern: "^[A-Za-z0-9_-]{1,128}$",
  description: "1 to 128 letters, digits, - or _",
  examples: ["sale-000124-1"],
});

/** Keeps line ends, NUL and printer escape sequences out of texts for people or providers. */
export const PLAIN_TEXT = {
  pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f]*$",
  description: "a text without control characters",
} as const;

/** `dto.ResponseError`: body of every unsuccessful response (rules#error-body). */
export const ErrorBody = Type.Object(
  {
    errorCode: Type.String({ description: "Error code for programs" }),
    message: Type.String({ description: "Message for people" }),
    fields: Type.Record(Type.String(), Type.String(), {
      description: "Errors by field name; empty if no field is invalid",
    }),
  },
  { title: "ErrorBody", description: "An unsuccessful response" },
);
export type ErrorBody = Static<typeof ErrorBody>;

/** Schema of an input. An undeclared field is an error instead of being removed silently. */
export function Input<P extends TProperties>(properties: P, options: TObjectOptions = {}) {
  return Type.Object(properties, { ...options, additionalProperties: false });
}

/** An id that the till creates and stores before it sends a request. */
export const ClientId = Type.String({
  pattern: "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$",
  description: "a UUID in small letters, made by the till before it is sent, and kept",
});

/** Id of the approval of an action for which the person lacks the permission. */
export const ApprovalId = Type.Optional(ClientId);
