import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import type {
  FastifyBaseLogger,
  FastifyInstance,
  FastifyRequest,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
} from "fastify";
import type { TSchema } from "typebox";
import { type Environment, ErrorBody } from "../contract/common.ts";
import type { ErrorCode } from "../contract/error-codes.ts";
import type { Actor } from "../contract/pos/actor.ts";
import type { KeyScope } from "../contract/pos/keys.ts";

export type App = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;

/**
 * Caller of `/v1`, identified by its key. The key determines the environment; no handler can choose
 * another.
 */
export interface ApiClient {
  accountId: string;
  environment: Environment;
  keyId: string;
  scopes: readonly KeyScope[];
  /** Commit stamp at which the key was valid. */
  asOf: number;
}

export interface SignedInActor extends Actor {
  expiresAt: number;
  tokenHash: string;
}

declare module "fastify" {
  interface FastifyRequest {
    client: ApiClient | undefined;
    actor: SignedInActor | undefined;
    /** Enrolled device of the request; undefined for requests from this machine. */
    device: { readonly deviceId: string } | undefined;
  }
}

/** @throws Error if the route requires no key, which is a bug */
export function clientOf(request: Pick<FastifyRequest, "client">): ApiClient {
  if (!request.client) throw new Error("the route is not behind a key");
  return request.client;
}

/** Key of a 400 response's schema under which the operation lists its error codes. */
export const REFUSALS = "x-refusals";

const STATUSES = [400, 401, 403, 404, 405, 413, 415, 429, 500, 503] as const;
type ErrorStatus = (typeof STATUSES)[number];

/** @param refusals further error codes with status 400, for the API description */
export function answers<Success extends TSchema>(
  success: Success,
  refusals: readonly ErrorCode[] = [],
): { 200: Success } & Record<ErrorStatus, typeof ErrorBody> {
  const refused = { ...ErrorBody, [REFUSALS]: refusals };
  const errors = STATUSES.map((status) => [status, status === 400 ? refused : ErrorBody]);
  const described: unknown = { 200: success, ...Object.fromEntries(errors) };
  return described as { 200: Success } & Record<ErrorStatus, typeof ErrorBody>;
}
