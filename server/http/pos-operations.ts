import type {} from "@fastify/sse";
import type { FastifyReply, FastifyRequest, onRequestAsyncHookHandler } from "fastify";
import { ErrorBody } from "../contract/common.ts";
import {
  type Access,
  type AnswerOf,
  type CallOperation,
  nameOf,
  type Operation,
  OWN_PIN_HEADER,
  type PartOf,
  type StreamOperation,
} from "../contract/pos/operation.ts";
import { Problem } from "../contract/problem.ts";
import type { Place } from "../lib/place.ts";
import type { App, SignedInActor } from "./app-types.ts";
import { placeOf } from "./device-cookie.ts";
import {
  requireBookkeeper,
  requireOwner,
  requireRight,
  requireSeller,
  requireStaff,
} from "./staff-guard.ts";

const EVENT_STREAM = /text\/event-stream|text\/\*|\*\/\*/i;

type RequirePin = (actor: SignedInActor, pin: string, place: Place) => Promise<void>;

declare module "fastify" {
  interface FastifyInstance {
    requirePin: RequirePin;
  }
  interface FastifyContextConfig {
    /** Required: a route without an operation makes the start fail. */
    operation?: Operation;
  }
}

/** A validated request with its operation's types, and the person who sent it. */
export interface Call<Declaration extends Operation> {
  readonly actor: Declaration["access"] extends "staff" | "seller" | "bookkeeper" | "owner"
    ? SignedInActor
    : SignedInActor | undefined;
  readonly params: PartOf<Declaration, "params">;
  readonly query: PartOf<Declaration, "query">;
  readonly body: PartOf<Declaration, "body">;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

const GUARDS: Record<Access, onRequestAsyncHookHandler[]> = {
  anyone: [],
  // The display service checks the code in the path.
  "display-code": [],
  staff: [requireStaff],
  seller: [requireSeller],
  bookkeeper: [requireBookkeeper],
  owner: [requireOwner],
};

function guardsOf({ access, right }: Operation): onRequestAsyncHookHandler[] {
  return [...GUARDS[access], ...(right ? [requireRight(right)] : [])];
}

type Answered<Declaration extends CallOperation> = AnswerOf<Declaration> | FastifyReply;

/**
 * Registers an operation with its declared guard, schemas and path.
 * @param handler returns the response, or the reply if it is already sent
 */
export function handle<Declaration extends CallOperation>(
  app: App,
  operation: Declaration,
  handler: (call: Call<Declaration>) => Answered<Declaration> | Promise<Answered<Declaration>>,
): void {
  const { bodyLimitBytes } = operation;
  app.route({
    method: operation.method,
    url: operation.path,
    config: { operation },
    exposeHeadRoute: false,
    onRequest: guardsOf(operation),
    ...(bodyLimitBytes !== undefined && { bodyLimit: bodyLimitBytes }),
    schema: {
      ...partsOf(operation),
      response: { 200: operation.answer, "4xx": ErrorBody, "5xx": ErrorBody },
    },
    handler: async (request, reply) => {
      const call = toCall(operation, request, reply);
      if (operation.asksPin === "always") await requireOwnPin(call);
      return handler(call);
    },
  });
}

const PIN = /^[0-9]{4,8}$/;

/**
 * Requires the signed-in person's PIN, because a session alone does not suffice
 * (rules#pin-asked-again).
 * @throws Problem PIN_REQUIRED, PIN_WRONG (fields.attemptsLeft) or PIN_LOCKED (fields.lockedUntil)
 */
export async function requireOwnPin({ request }: Pick<Call<Operation>, "request">): Promise<void> {
  const { actor, headers, server } = request;
  const pin = headers[OWN_PIN_HEADER];
  if (!actor) throw new Error("a PIN is required again only of a signed-in person");
  if (typeof pin !== "string" || !PIN.test(pin)) {
    throw new Problem("PIN_REQUIRED", "Type your own PIN to do this.", {
      [OWN_PIN_HEADER]: "must be your own PIN",
    });
  }
  await server.requirePin(actor, pin, placeOf(request));
}

interface StreamHandler<Declaration extends StreamOperation> {
  /** Accepts or refuses the call before the stream starts. */
  readonly admit: (call: Call<Declaration>) => void | Promise<void>;
  readonly handler: (call: Call<Declaration>) => Promise<void>;
}

export function handleStream<Declaration extends StreamOperation>(
  app: App,
  operation: Declaration,
  { admit, handler }: StreamHandler<Declaration>,
): void {
  app.route({
    method: operation.method,
    url: operation.path,
    config: { operation },
    exposeHeadRoute: false,
    onRequest: [...guardsOf(operation), requireEventReader],
    preHandler: async (request, reply) => admit(toCall(operation, request, reply)),
    schema: partsOf(operation),
    sse: "only",
    handler: (request, reply) => handler(toCall(operation, request, reply)),
  });
}

function partsOf({ params, query, body }: Operation) {
  return {
    ...(params && { params }),
    ...(query && { querystring: query }),
    ...(body && { body }),
  };
}

function toCall<Declaration extends Operation>(
  _operation: Declaration,
  request: FastifyRequest,
  reply: FastifyReply,
): Call<Declaration> {
  const { actor, params, query, body } = request;
  const call: unknown = { actor, params, query, body, request, reply };
  return call as Call<Declaration>;
}

/**
 * Makes the start fail if a route is not declared or an operation has no handler. Must be called
 * before the first route is registered.
 */
export function requireOperations(app: App, operations: readonly Operation[]): void {
  const known = new Set(operations);
  const missing = new Set(operations);
  app.addHook("onRoute", ({ config, method, url }) => {
    const operation = config?.operation;
    if (!operation || !known.has(operation)) {
      throw new Error(`${method} ${url} is no operation of server/contract/pos/operations.ts`);
    }
    missing.delete(operation);
  });
  app.addHook("onReady", async () => {
    const [first] = missing;
    if (first) throw new Error(`${nameOf(first)} is declared and has no handler`);
  });
}

async function requireEventReader({ headers }: FastifyRequest): Promise<void> {
  if (headers.accept === undefined || EVENT_STREAM.test(headers.accept)) return;
  throw new Problem("NOT_FOUND", "There is only an event stream here.");
}
