import { ERROR_STATUS, type ErrorCode } from "../contract/error-codes.ts";

interface ErrorSample {
  message: string;
  fields?: Record<string, string>;
}

/** An example of each error of `/v1` (rules#error-statuses). */
const ERROR_SAMPLES: Readonly<Partial<Record<ErrorCode, ErrorSample>>> = {
  NOT_AUTHORIZED: { message: "Send your API key as Authorization: Bearer <API_KEY>." },
  FORBIDDEN: { message: "This key may not be used from 192.168.1.20." },
  OFFER_NOT_FOUND: {
    message: "There is no offer TIGO_GT_TOPUP_7.",
    fields: { offerId: "is not an offer of this catalog" },
  },
  PROVIDER_NOT_CONFIGURED: {
    message: "No provider is connected to the live environment. Nothing was charged.",
    fields: {},
  },
  INSUFFICIENT_FUNDS: { message: "The wallet is short by 2.50 USD." },
  OFFER_DISABLED: {
    message: "The offer MOVISTAR_SV_TOPUP_20 is not sold at present.",
    fields: { offerId: "is disabled" },
  },
  DUPLICATE_TRANSACTION_ID: {
    message: "The transaction id order-1 has been used before.",
    fields: { transactionId: "has been used before" },
  },
  VALUE_REQUIRED: {
    message: "A RANGE offer needs a value.",
    fields: { value: "is required" },
  },
  VALUE_NOT_ALLOWED: {
    message: "A FIXED offer has its own price.",
    fields: { value: "must be left out" },
  },
  VALUE_OUT_OF_RANGE: {
    message: "The value is not one of this offer's.",
    fields: { "value.value": "must be from 500 to 10000 in steps of 50" },
  },
  REQUIRED_FIELD_MISSING: {
    message: "A field that the offer requires is missing.",
    fields: { "meter.number": "is required" },
  },
  LOOKUP_NOT_ENABLED: { message: "The phone lookup is switched off for this account." },
  PHONE_NUMBER_NOT_FOUND: {
    message: "There is no phone number +50221234567.",
    fields: { msisdn: "is not a number of the test environment" },
  },
  REFUND_NOT_ALLOWED: { message: "This eSIM cannot be refunded: it has been installed." },
  BILL_NOT_FOUND: { message: "The biller knows no such bill." },
  QRCODE_NOT_READY: { message: "The purchase is not DONE yet." },
  NOT_FOUND: { message: "There is nothing with this id." },
  METHOD_NOT_ALLOWED: { message: "DELETE is not possible on /v1/balance." },
  PAYLOAD_TOO_LARGE: { message: "The request body is larger than 64 KiB." },
  UNSUPPORTED_MEDIA_TYPE: { message: "The request body must be application/json." },
  RATE_LIMITED: { message: "Too many requests with this key. Try again shortly." },
  INTERNAL_ERROR: { message: "Something went wrong. It has been logged." },
  SYSTEM_UNAVAILABLE: { message: "Tillgate is stopping." },
};

export const ERROR_CODES = ["INVALID_REQUEST", ...Object.keys(ERROR_SAMPLES)];

function sampleError(errorCode: ErrorCode) {
  const { message = "", fields = {} } = ERROR_SAMPLES[errorCode] ?? {};
  return { errorCode, message, fields };
}

const REQUEST_ID = { "x-request-id": { $ref: "#/components/headers/RequestId" } };
const LIMITS = {
  "RateLimit-Limit": { $ref: "#/components/headers/RateLimitLimit" },
  "RateLimit-Remaining": { $ref: "#/components/headers/RateLimitRemaining" },
  "RateLimit-Reset": { $ref: "#/components/headers/RateLimitReset" },
};

export const ANSWER_HEADERS = { ...REQUEST_ID, ...LIMITS };

export const CATALOG_HEADERS = { ...ANSWER_HEADERS, ETag: { $ref: "#/components/headers/ETag" } };

export const NOT_MODIFIED = {
  description: "The content is the same as that of the entity tag in If-None-Match.",
  headers: CATALOG_HEADERS,
};

export const HEADERS = {
  RequestId: {
    description: "Id of the request in the gateway's log",
    schema: { type: "string", format: "uuid" },
    example: "0e37df36-f698-41e6-9bbb-1a7f2b1d7a55",
  },
  RateLimitLimit: {
    description: "Maximum burst of requests with this key",
    schema: { type: "integer", minimum: 1 },
    example: 200,
  },
  RateLimitRemaining: {
    description: "Remaining requests of the burst",
    schema: { type: "integer", minimum: 0 },
    example: 199,
  },
  RateLimitReset: {
    description: "Seconds until the full burst is available again",
    schema: { type: "integer", minimum: 0 },
    example: 1,
  },
  RetryAfter: {
    description: "Seconds to wait before the next request",
    schema: { type: "integer", minimum: 1 },
    example: 1,
  },
  ETag: {
    description: "Entity tag of the content, for If-None-Match",
    schema: { type: "string" },
    example: 'W/"Zm9vYmFyYmF6cXV4MTIzNDU2Nzg"',
  },
  Allow: {
    description: "Allowed methods of the path",
    schema: { type: "string" },
    example: "GET, HEAD",
  },
};

type SharedAnswer = readonly [errorCode: ErrorCode, description: string, headers: object];

const SHARED: readonly SharedAnswer[] = [
  ["NOT_AUTHORIZED", "The key is missing, unknown, revoked or expired", REQUEST_ID],
  [
    "FORBIDDEN",
    "The key lacks the operation's scope, the key may not be used from this address, or the host name is not this gateway's",
    REQUEST_ID,
  ],
  ["NOT_FOUND", "There is nothing with the id or code in the path", ANSWER_HEADERS],
  [
    "METHOD_NOT_ALLOWED",
    "The path exists, but not with this method",
    { ...REQUEST_ID, Allow: { $ref: "#/components/headers/Allow" } },
  ],
  ["PAYLOAD_TOO_LARGE", "The request body is larger than 64 KiB", ANSWER_HEADERS],
  ["UNSUPPORTED_MEDIA_TYPE", "The request body is not JSON", ANSWER_HEADERS],
  [
    "RATE_LIMITED",
    "The key exceeds its rate limit; nothing was done",
    { ...ANSWER_HEADERS, "Retry-After": { $ref: "#/components/headers/RetryAfter" } },
  ],
  ["INTERNAL_ERROR", "Internal error, which the gateway has logged", ANSWER_HEADERS],
  [
    "SYSTEM_UNAVAILABLE",
    "The gateway is starting, stopping or cannot write; nothing was done",
    REQUEST_ID,
  ],
];

/** Returns `NotFound` for NOT_FOUND. */
function toComponentName(errorCode: ErrorCode): string {
  return errorCode.replaceAll(/(.)([^_]*)_?/g, (_, first: string, rest: string) => {
    return first + rest.toLowerCase();
  });
}

const ERROR_SCHEMA = { $ref: "#/components/schemas/ErrorBody" };

export function describeSharedErrors(): Record<string, object> {
  return Object.fromEntries(
    SHARED.map(([errorCode, description, headers]) => [
      toComponentName(errorCode),
      {
        description: `${errorCode}: ${description}.`,
        headers,
        content: { "application/json": { schema: ERROR_SCHEMA, example: sampleError(errorCode) } },
      },
    ]),
  );
}

export function findSharedError(status: string): { $ref: string } | undefined {
  const shared = SHARED.find(([errorCode]) => String(ERROR_STATUS[errorCode]) === status);
  return shared && { $ref: `#/components/responses/${toComponentName(shared[0])}` };
}

/**
 * @param schema schema of the response body
 * @param refusals the operation's error codes in addition to INVALID_REQUEST
 * @param fields example of the field errors
 */
export function describeBadRequest(
  schema: object,
  refusals: readonly ErrorCode[],
  fields: Record<string, string>,
) {
  const names = Object.keys(fields).join(", ");
  const invalid = {
    errorCode: "INVALID_REQUEST",
    message: names === "" ? "The request is not valid." : `The request is not valid: ${names}.`,
    fields,
  };
  const examples = Object.fromEntries([
    ["INVALID_REQUEST", { value: invalid }],
    ...refusals.map((code) => [code, { value: sampleError(code) }] as const),
  ]);
  return {
    description: `The request was refused and nothing was done: ${Object.keys(examples).join(", ")}.`,
    headers: ANSWER_HEADERS,
    content: { "application/json": { schema, examples } },
  };
}
