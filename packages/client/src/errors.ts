import type { ErrorBody, ErrorCode } from "./v1.ts";

/** Base class of every error that this package throws. */
export class TillgateError extends Error {
  override name = "TillgateError";
}

/** The gateway refused a request. Nothing was stored, charged or sent to the provider. */
export class ApiError extends TillgateError {
  override name = "ApiError";
  readonly status: number;
  /** Undefined if the response has no error body, for example because a proxy sent it. */
  readonly code: ErrorCode | undefined;
  /** Message for each wrong field, by the field's name. */
  readonly fields: Readonly<Record<string, string>>;
  /** Identifies the request in the gateway's log. */
  readonly requestId: string | undefined;
  /** Delay that the gateway requests with `Retry-After`. */
  readonly retryAfterMs: number | undefined;

  constructor(response: Response, body: ErrorBody | undefined) {
    super(body?.message ?? `The gateway answered ${response.status} without an error body.`);
    this.status = response.status;
    this.code = body?.errorCode;
    this.fields = body?.fields ?? {};
    this.requestId = response.headers.get("x-request-id") ?? undefined;
    this.retryAfterMs = readRetryAfter(response);
  }

  get field(): string | undefined {
    return Object.keys(this.fields)[0];
  }
}

/** The gateway did not respond: no connection, a lost connection or a timeout. */
export class ConnectionError extends TillgateError {
  override name = "ConnectionError";
}

/**
 * The responses to a purchase and to its repeats were lost. The gateway may have accepted the
 * purchase: read it by `transactionId`, or repeat it with the same `transactionId`.
 */
export class UnconfirmedPurchaseError extends TillgateError {
  override name = "UnconfirmedPurchaseError";
  readonly transactionId: string;

  constructor(transactionId: string, cause: unknown) {
    super(`The gateway did not confirm purchase ${transactionId}; it may have accepted it.`, {
      cause,
    });
    this.transactionId = transactionId;
  }
}

/** The record was not final in time. The gateway continues to process it. */
export class WaitTimeoutError<Item> extends TillgateError {
  override name = "WaitTimeoutError";
  readonly last: Item;

  constructor(timeoutMs: number, last: Item) {
    super(`The record was not final after ${timeoutMs} ms.`);
    this.last = last;
  }
}

/**
 * A webhook message has no valid signature, or its timestamp differs from this machine's clock by
 * more than 5 minutes. Respond to the message with 401.
 */
export class WebhookSignatureError extends TillgateError {
  override name = "WebhookSignatureError";
}

/** @throws Error if the connection is lost during the read */
export async function readApiError(response: Response): Promise<ApiError> {
  const body = parseJson(await response.text());
  return new ApiError(response, isErrorBody(body) ? body : undefined);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isErrorBody(body: unknown): body is ErrorBody {
  return (
    typeof body === "object" &&
    body !== null &&
    "errorCode" in body &&
    typeof body.errorCode === "string" &&
    "message" in body &&
    typeof body.message === "string"
  );
}

/** @returns the delay in milliseconds. The header contains seconds or an HTTP date */
function readRetryAfter({ headers }: Response): number | undefined {
  const value = headers.get("retry-after");
  if (value === null) return undefined;
  const ms = /^\d+$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - Date.now();
  return Number.isNaN(ms) ? undefined : Math.max(ms, 0);
}
