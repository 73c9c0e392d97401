import type { Static, TSchema } from "typebox";
import { Compile } from "typebox/compile";
import { type Clock, MINUTE } from "../../lib/clock.ts";
import {
  askProvider,
  type ProviderConnection,
  ProviderRefusal,
  type ProviderRequest,
  type ProviderResponse,
  ProviderUnclear,
} from "../provider-call.ts";
import { readRefusal } from "./refusal-reading.ts";

/** Shorter than for other requests, because a person waits for the page of a list. */
const MAX_PAGE_RETRY_MS = MINUTE;

const known = new WeakMap<TSchema, { Check(value: unknown): boolean }>();

/**
 * Returns the response unparsed.
 * @throws ProviderUnreached
 * @throws ProviderUnclear if there was no response; messages contain no secrets
 */
export function askUpstream(
  { baseUrl, key, allowPrivate }: ProviderConnection,
  request: ProviderRequest,
  clock: Clock,
): Promise<ProviderResponse> {
  const headers = { authorization: `Bearer ${key}` };
  return askProvider({ baseUrl: `${baseUrl}/v1`, allowPrivate }, headers, request, clock);
}

/**
 * Accepts only a response that matches `schema`. A null field counts as absent.
 * @throws ProviderUnreached, ProviderUnclear or ProviderRefusal; messages contain no secrets
 */
export async function callUpstream<Schema extends TSchema>(
  connection: ProviderConnection,
  schema: Schema,
  request: ProviderRequest,
  clock: Clock,
): Promise<Static<Schema>> {
  const answer = await askUpstream(connection, request, clock);
  const body = withoutNulls(answer.body);
  if (answer.status === 200) {
    if (!answer.isComplete) throw new ProviderUnclear("The answer broke off, or does not end.");
    if (fits(schema, body)) return body;
    throw new ProviderUnclear("The answer is not what /v1 answers.");
  }
  const { errorCode, message, fields } = readRefusal(answer, connection.key).details;
  const isRefusal = answer.status >= 400 && answer.status < 500 && errorCode !== "";
  if (!isRefusal) throw new ProviderUnclear(`It answers with status ${answer.status}.`);
  const retryAfter_ms = answer.retryAfter_ms && Math.min(answer.retryAfter_ms, MAX_PAGE_RETRY_MS);
  throw new ProviderRefusal({ errorCode, message, fields, retryAfter_ms });
}

function fits<Schema extends TSchema>(schema: Schema, value: unknown): value is Static<Schema> {
  const check = known.get(schema) ?? Compile(schema);
  known.set(schema, check);
  return check.Check(value);
}

function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(([, inner]) => inner !== null);
  return Object.fromEntries(entries.map(([name, inner]) => [name, withoutNulls(inner)]));
}
