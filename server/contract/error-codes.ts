/**
 * Every error an HTTP answer can carry, with its status (decisions §2).
 * A behaviour the specification describes answers 400; what it is silent about
 * answers with the standard status.
 */
export const ERROR_STATUS = {
  NOT_AUTHORIZED: 401,
  FORBIDDEN: 403,
  INVALID_REQUEST: 400,
  OFFER_NOT_FOUND: 400,
  OFFER_DISABLED: 400,
  DUPLICATE_TRANSACTION_ID: 400,
  REQUIRED_FIELD_MISSING: 400,
  VALUE_REQUIRED: 400,
  VALUE_NOT_ALLOWED: 400,
  VALUE_OUT_OF_RANGE: 400,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  RATE_LIMITED: 429,
  INTERNAL_ERROR: 500,
  SYSTEM_UNAVAILABLE: 503,

  // The till's own (`/pos`).
  NOT_SIGNED_IN: 401,
  PIN_WRONG: 401,
  PIN_LOCKED: 429,
  NOT_SET_UP: 409,
  ALREADY_SET_UP: 409,
  NAME_TAKEN: 409,
  LAST_OWNER: 409,
  SALE_ID_TAKEN: 409,
  PRICE_CHANGED: 409,
  WALLET_SHORT: 409,
  TENDER_SHORT: 400,
} as const;

export type ErrorCode = keyof typeof ERROR_STATUS;

/** Why an accepted transaction failed: `error.code` of the record (decisions §2). */
export const FAILURE_CODES = [
  "INSUFFICIENT_FUNDS",
  "RECIPIENT_INVALID",
  "PROVIDER_REJECTED",
  "PROVIDER_UNAVAILABLE",
  "RETRY_WINDOW_EXPIRED",
  "PROVIDER_NOT_CONFIGURED",
] as const;
export type FailureCode = (typeof FAILURE_CODES)[number];
