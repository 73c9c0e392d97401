import type { Static, TSchema } from "typebox";
import { Compile } from "typebox/compile";
import { type Clock, MINUTE, SECOND } from "../../lib/clock.ts";
import { type OutgoingAnswer, OutgoingError, sendGuarded } from "../../lib/guarded-request.ts";
import { readRefusal } from "./refusal-reading.ts";

export interface UpstreamConnection {
  /** Base URL without `/v1` and without a trailing slash. */
  baseUrl: string;
  key: string;
  allowPrivate: boolean;
}

/** Error for a request of which the upstream has received no part. */
export class UpstreamUnreached extends Error {}

/** Error for a sent request without a complete and readable response. */
export class UpstreamUnclear extends Error {}

/**
 * Error for a request that the upstream refused with an error of the `/v1` contract
 * (rules#error-statuses).
 */
export class UpstreamRefusal extends Error {
  readonly errorCode: string;
  readonly fields: Record<string, string>;
  readonly retryAfter_ms: number | undefined;

  constructor(refusal: { errorCode: string; message: string } & Partial<UpstreamRefusal>) {
    super(refusal.message);
    this.errorCode = refusal.errorCode;
    this.fields = refusal.fields ?? {};
    this.retryAfter_ms = refusal.retryAfter_ms;
  }
}

export interface UpstreamRequest {
  method: "GET" | "POST";
  path: string;
  body?: unknown;
  timeout_ms: number;
  /** Maximum size of the response. List pages are much larger than records. */
  longest_bytes?: number;
  signal?: AbortSignal;
  onHeaders?(headers: OutgoingAnswer["headers"]): void;
}

export interface UpstreamAnswer {
  status: number;
  /** Undefined if the body is incomplete or not JSON. */
  body: unknown;
  text: string;
  isComplete: boolean;
  /** Delay that the response requests, at least 1 s and at most 15 min. */
  retryAfter_ms: number | undefined;
}

const LONGEST_RECORD_BYTES = 256 * 1024;
const MIN_RETRY_MS = SECOND;
const MAX_RETRY_MS = 15 * MINUTE;
/** Maximum requested delay for list pages, for which a person waits. */
const MAX_PAGE_RETRY_MS = MINUTE;

const known = new WeakMap<TSchema, { Check(value: unknown): boolean }>();

/**
 * Sends a request, and returns the response of any status.
 * @throws UpstreamUnreached
 * @throws UpstreamUnclear if there was no response; messages contain no secrets
 */
export async function askUpstream(
  { baseUrl, key, allowPrivate }: UpstreamConnection,
  request: UpstreamRequest,
  clock: Clock,
): Promise<UpstreamAnswer> {
  const { method, path, body, timeout_ms, signal } = request;
  const longest_bytes = request.longest_bytes ?? LONGEST_RECORD_BYTES;
  const answer = await sendGuarded(
    {
      method,
      url: `${baseUrl}/v1${path}`,
      headers: {
        authorization: `Bearer ${key}`,
        accept: "application/json",
        ...(body !== undefined && { "content-type": "application/json" }),
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
    if (error.connected) throw new UpstreamUnclear(error.message);
    throw new UpstreamUnreached(error.message);
  });
  request.onHeaders?.(answer.headers);
  const text = answer.body.toString("utf8");
  return {
    status: answer.status,
    body: answer.complete ? parse(text) : undefined,
    text,
    isComplete: answer.complete,
    retryAfter_ms: retryAfter(answer.headers["retry-after"], clock.now()),
  };
}

/**
 * Sends a request. Accepts only a response that matches `schema`, in which null means missing.
 * @throws UpstreamUnreached, UpstreamUnclear or UpstreamRefusal; messages contain no secrets
 */
export async function callUpstream<Schema extends TSchema>(
  connection: UpstreamConnection,
  schema: Schema,
  request: UpstreamRequest,
  clock: Clock,
): Promise<Static<Schema>> {
  const answer = await askUpstream(connection, request, clock);
  const body = withoutNulls(answer.body);
  if (answer.status === 200) {
    if (!answer.isComplete) throw new UpstreamUnclear("The answer broke off, or does not end.");
    if (fits(schema, body)) return body;
    throw new UpstreamUnclear("The answer is not what /v1 answers.");
  }
  const { errorCode, message, fields } = readRefusal(answer, connection.key).details;
  const isRefusal = answer.status >= 400 && answer.status < 500 && errorCode !== "";
  if (!isRefusal) throw new UpstreamUnclear(`It answers with status ${answer.status}.`);
  const retryAfter_ms = answer.retryAfter_ms && Math.min(answer.retryAfter_ms, MAX_PAGE_RETRY_MS);
  throw new UpstreamRefusal({ errorCode, message, fields, retryAfter_ms });
}

function fits<Schema extends TSchema>(schema: Schema, value: unknown): value is Static<Schema> {
  const check = known.get(schema) ?? Compile(schema);
  known.set(schema, check);
  return check.Check(value);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(([, inner]) => inner !== null);
  return Object.fromEntries(entries.map(([name, inner]) => [name, withoutNulls(inner)]));
}

/** Parses a Retry-After header: seconds, or a date (RFC 9110). */
function retryAfter(header: string | string[] | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  const text = String(header).trim();
  const wait_ms = /^\d+(\.\d+)?$/.test(text) ? Number(text) * SECOND : Date.parse(text) - now;
  if (!Number.isFinite(wait_ms)) return undefined;
  return Math.min(Math.max(Math.ceil(wait_ms), MIN_RETRY_MS), MAX_RETRY_MS);
}
