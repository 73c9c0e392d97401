import { type Clock, MINUTE, SECOND } from "../lib/clock.ts";
import { type OutgoingAnswer, OutgoingError, sendGuarded } from "../lib/guarded-request.ts";
import type { ProviderAnswer } from "./provider.ts";

export interface ProviderConnection {
  /** Base address without a trailing slash. */
  baseUrl: string;
  /** Key, or the client secret of a kind with client ids. */
  key: string;
  clientId?: string | undefined;
  /** Permits addresses of this machine and of private networks. */
  allowPrivate: boolean;
}

/** The request was not sent: the provider received no part of it. */
export class ProviderUnreached extends Error {}

/** The request was not sent, because the provider takes no more requests for now. */
export class ProviderLimited extends ProviderUnreached {
  readonly retryAfter_ms: number;

  constructor(retryAfter_ms: number) {
    super("It takes no more requests for now.");
    this.retryAfter_ms = retryAfter_ms;
  }
}

/** The request was sent, but there was no complete and readable response. */
export class ProviderUnclear extends Error {}

/** The request was received and refused, with a code of our contract (rules#error-statuses). */
export class ProviderRefusal extends Error {
  readonly errorCode: string;
  readonly fields: Record<string, string>;
  readonly retryAfter_ms: number | undefined;

  constructor(refusal: { errorCode: string; message: string } & Partial<ProviderRefusal>) {
    super(refusal.message);
    this.errorCode = refusal.errorCode;
    this.fields = refusal.fields ?? {};
    this.retryAfter_ms = refusal.retryAfter_ms;
  }
}

export interface ProviderRequest {
  method: "GET" | "POST";
  /** Path below the base address, with its query. */
  path: string;
  /** More important requests first: the others wait for them. */
  priority: "PURCHASE" | "INQUIRY" | "CATALOG";
  body?: unknown;
  timeout_ms: number;
  /** Maximum size of the response. Pages of lists are much larger than records. */
  longest_bytes?: number;
  signal?: AbortSignal;
  onHeaders?(headers: OutgoingAnswer["headers"]): void;
}

export interface ProviderResponse {
  status: number;
  /** Undefined if the body is incomplete or not JSON. */
  body: unknown;
  text: string;
  isComplete: boolean;
  /** Delay that the response requests, limited to 1 s to 15 min. */
  retryAfter_ms: number | undefined;
}

/** Decides whether a request is sent now. */
export interface RequestLimits {
  readonly clock: Clock;
  /** @throws ProviderLimited if the request must not be sent now */
  admit(connection: ProviderConnection, priority: ProviderRequest["priority"]): void;
  /** Notes the status of a response, and the pause that it requests. */
  note(connection: ProviderConnection, status: number, retryAfter_ms: number | undefined): void;
}

const LONGEST_RECORD_BYTES = 256 * 1024;
const MIN_RETRY_MS = SECOND;
const MAX_RETRY_MS = 15 * MINUTE;
/** A provider that requests a longer pause counts as failing: the customer does not wait for it. */
const FAILING_PAUSE_MS = MINUTE;

/**
 * Sends JSON and returns the response unchecked.
 * @throws ProviderUnreached, with `ProviderLimited` if the limits do not admit it
 * @throws ProviderUnclear if there was no response
 */
export async function askProvider(
  connection: ProviderConnection,
  headers: Record<string, string>,
  request: ProviderRequest,
  limits: RequestLimits,
): Promise<ProviderResponse> {
  const { baseUrl, allowPrivate } = connection;
  const { method, path, priority, body, timeout_ms, signal } = request;
  const { clock } = limits;
  limits.admit(connection, priority);
  const longest_bytes = request.longest_bytes ?? LONGEST_RECORD_BYTES;
  const answer = await sendGuarded(
    {
      method,
      url: baseUrl + path,
      headers: {
        accept: "application/json",
        ...(body !== undefined && { "content-type": "application/json" }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      timeout_ms,
      keep_bytes: longest_bytes,
      read_bytes: longest_bytes,
      allowPrivate,
      ...(signal && { signal }),
    },
    clock,
  ).catch((error: unknown) => {
    if (!(error instanceof OutgoingError)) throw error;
    if (error.connected) throw new ProviderUnclear(error.message);
    throw new ProviderUnreached(error.message);
  });
  request.onHeaders?.(answer.headers);
  const retryAfter_ms = retryAfter(answer.headers["retry-after"], clock.now());
  limits.note(connection, answer.status, retryAfter_ms);
  const text = answer.body.toString("utf8");
  return {
    status: answer.status,
    body: answer.complete ? parse(text) : undefined,
    text,
    isComplete: answer.complete,
    retryAfter_ms,
  };
}

/** Returns the answer for an order that was not sent. */
export function toUnsent(error: ProviderUnreached): ProviderAnswer {
  const message = `the provider was not reached: ${error.message.replace(/\.$/, "")}`;
  const unsent = { kind: "recoverable", message, cause: "UNREACHED" } as const;
  if (!(error instanceof ProviderLimited)) return unsent;
  const { retryAfter_ms } = error;
  return { ...unsent, retryAfter_ms, isFailing: retryAfter_ms >= FAILING_PAUSE_MS };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Parses seconds, or a date (RFC 9110). */
function retryAfter(header: string | string[] | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  const text = String(header).trim();
  const wait_ms = /^\d+(\.\d+)?$/.test(text) ? Number(text) * SECOND : Date.parse(text) - now;
  if (!Number.isFinite(wait_ms)) return undefined;
  return Math.min(Math.max(Math.ceil(wait_ms), MIN_RETRY_MS), MAX_RETRY_MS);
}
