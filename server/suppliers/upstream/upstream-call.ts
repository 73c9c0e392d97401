import type { Static, TSchema } from "typebox";
import { Compile } from "typebox/compile";
import { ErrorBody } from "../../contract/common.ts";
import type { Clock } from "../../lib/clock.ts";
import { type OutgoingAnswer, OutgoingError, sendGuarded } from "../../lib/guarded-request.ts";
import { lazyCheck } from "../../lib/lazy-check.ts";

/** Where a gateway that speaks `/v1` is, and the key it gave us. */
export interface UpstreamConnection {
  /** Without the `/v1` and without a slash at the end. */
  baseUrl: string;
  key: string;
  /** Whether it may be on this machine or in a private network. */
  allowPrivate: boolean;
}

/** It was never sent: nobody at the other end has any of it. */
export class UpstreamUnreached extends Error {}

/** It was sent, and what came back says nothing that can be believed. */
export class UpstreamUnclear extends Error {}

/** It was received and refused, with an error of the contract (rules#error-statuses). */
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
  /** After `/v1`, with its query. */
  path: string;
  body?: unknown;
  timeout_ms: number;
  /** Of the answer; a longer one is not believed. Records are small, pages are not. */
  longest_bytes?: number;
  signal?: AbortSignal;
  /** Is told the headers of whatever was answered. */
  onHeaders?(headers: OutgoingAnswer["headers"]): void;
}

const LONGEST_RECORD_BYTES = 256 * 1024;
const LONGEST_MESSAGE = 200;
const LONGEST_RETRY_S = 60;

const isErrorBody = lazyCheck(ErrorBody);
const known = new WeakMap<TSchema, { Check(value: unknown): boolean }>();

/** What a standard status means without an error of the contract (rules#error-statuses). */
const CODES: Record<number, string> = {
  401: "NOT_AUTHORIZED",
  403: "FORBIDDEN",
  429: "RATE_LIMITED",
};

/**
 * Asks an upstream gateway once. Only an answer that fits `schema` is believed; a field that is null
 * counts as absent.
 * @throws UpstreamUnreached, UpstreamUnclear or UpstreamRefusal, in words without any secret
 */
export async function callUpstream<Schema extends TSchema>(
  { baseUrl, key, allowPrivate }: UpstreamConnection,
  schema: Schema,
  request: UpstreamRequest,
  clock: Clock,
): Promise<Static<Schema>> {
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
  const said = answer.complete ? parse(answer.body) : undefined;
  if (answer.status === 200) {
    if (!answer.complete) throw new UpstreamUnclear("The answer broke off, or does not end.");
    if (fits(schema, said)) return said;
    throw new UpstreamUnclear("The answer is not what /v1 answers.");
  }
  const code = CODES[answer.status];
  if (answer.status >= 400 && answer.status < 500 && isErrorBody(said)) {
    throw new UpstreamRefusal({
      errorCode: said.errorCode,
      message: tidy(said.message, key),
      fields: said.fields,
      retryAfter_ms: retryAfter(answer.headers["retry-after"]),
    });
  }
  if (code === undefined) throw new UpstreamUnclear(`It answers with status ${answer.status}.`);
  throw new UpstreamRefusal({ errorCode: code, message: `It answers ${answer.status}.` });
}

function fits<Schema extends TSchema>(schema: Schema, value: unknown): value is Static<Schema> {
  const check = known.get(schema) ?? Compile(schema);
  known.set(schema, check);
  return check.Check(value);
}

function parse(bytes: Buffer): unknown {
  try {
    return withoutNulls(JSON.parse(bytes.toString("utf8")));
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

/** A foreign text as part of a message of ours: one line, not long, and never our key. */
export function tidy(words: string, key: string): string {
  const plain = words
    .replaceAll(key, "…")
    .replace(/\p{C}+/gu, " ")
    .trim();
  return plain.length > LONGEST_MESSAGE ? `${plain.slice(0, LONGEST_MESSAGE)}…` : plain;
}

function retryAfter(header: string | string[] | undefined): number | undefined {
  const seconds = Number(header);
  return seconds > 0 ? Math.min(seconds, LONGEST_RETRY_S) * 1000 : undefined;
}
