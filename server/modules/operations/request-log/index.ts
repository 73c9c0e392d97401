import type { FastifyReply, FastifyRequest, FastifySchema } from "fastify";
import type { App } from "../../../http/app-types.ts";
import { handle } from "../../../http/pos-operations.ts";
import type { Clock } from "../../../lib/clock.ts";
import type { Base, Module } from "../../module.ts";
import { RequestLog } from "./request-log.ts";
import type { NewRequest } from "./request-store.ts";
import { type ErrorAnswer, maskText, PersonalNumbers, SecretMask } from "./secret-mask.ts";

export { purgeRequestFile } from "./request-log.ts";

export function createRequestLogModule(deps: Base) {
  const requestLog = new RequestLog(deps);
  return {
    services: { requestLog },
    pos: (app) => registerRequestLogRoutes(app, requestLog),
    start: () => requestLog.start(),
    release: () => requestLog.close(),
  } satisfies Module;
}

/**
 * Registers the request log. Reading it leaves no audit entry, because secrets and personal data
 * are masked, and only owners read it.
 */
async function registerRequestLogRoutes(app: App, requestLog: RequestLog): Promise<void> {
  const { requestLogOperations } = await import("../../../contract/pos/request-log.ts");
  handle(app, requestLogOperations.list, ({ actor, query }) =>
    requestLog.list(actor.accountId, query),
  );
  handle(app, requestLogOperations.get, ({ actor, params }) =>
    requestLog.get(actor.accountId, Number(params.requestNo)),
  );
}

/** Larger bodies are recorded by their size only. */
const MAX_BODY = 16 * 1024;
const MAX_PATH = 1_024;
const TRANSACTION_ID = /^[A-Za-z0-9_-]{1,128}$/;

declare module "fastify" {
  interface FastifyRequest {
    /** Answer to a request with a key, unless it is too large for the log. */
    answer: string | undefined;
  }
}

interface RecorderDeps {
  requestLog: Pick<RequestLog, "record">;
  machineClock: Clock;
}

/**
 * Records every request with a valid key. Must be called before the hooks that compress responses
 * are added, and before the routes are registered.
 */
export function recordRequests(app: App, { requestLog, machineClock }: RecorderDeps): void {
  const fields = { request: new Set<string>(), response: new Set<string>() };
  const paths = new Set<string>();
  const masks: Masks = {
    request: new SecretMask(fields.request),
    response: new SecretMask(fields.response),
    paths,
  };
  app.decorateRequest("answer", undefined);

  const unread: FastifySchema[] = [];
  app.addHook("onRoute", ({ url, schema }) => {
    if (schema) unread.push(schema);
    if (!/[:*]/.test(url)) paths.add(url);
  });
  // Reading all schemas takes several milliseconds, which a start need not wait for.
  function readSchemas(): void {
    for (const { body, querystring, response } of unread.splice(0)) {
      collectNames({ body, querystring }, fields.request);
      collectNames(response, fields.response);
    }
  }

  app.addHook("onSend", (request, _reply, payload, done) => {
    if (request.client && typeof payload === "string" && payload.length <= MAX_BODY) {
      request.answer = payload;
    }
    done(null, payload);
  });

  app.addHook("onResponse", (request, reply, done) => {
    if (request.client) {
      const exchange = toExchange(request, reply);
      const size = (exchange.requestBytes ?? 0) + (exchange.answer?.length ?? 0);
      const receivedAt = machineClock.now() - exchange.duration_ms;
      requestLog.record(size, () => {
        readSchemas();
        return toRow(exchange, receivedAt, masks);
      });
    }
    done();
  });
}

/** The facts of a request, without the objects of its connection. */
function toExchange(request: FastifyRequest, reply: FastifyReply) {
  const { client, id, method, url, params, body, headers, answer } = request;
  const { accountId = "", environment = "", keyId = "" } = client ?? {};
  const requestBytes = readSize(headers["content-length"]) ?? measure(body);
  return {
    accountId,
    environment,
    keyId,
    id,
    method,
    url: url.slice(0, MAX_PATH),
    status: reply.statusCode,
    duration_ms: Math.round(reply.elapsedTime),
    msisdn: readText(params, "msisdn"),
    transactionId: readTransaction(params) ?? readTransaction(body),
    requestBytes,
    body: requestBytes !== undefined && requestBytes <= MAX_BODY ? body : undefined,
    responseBytes:
      answer === undefined
        ? readSize(reply.getHeader("content-length"))
        : Buffer.byteLength(answer),
    answer,
  };
}

function readSize(header: unknown): number | undefined {
  const size = Number(header);
  return Number.isNaN(size) ? undefined : size;
}

/** Returns the size of a body that arrived without a stated size. */
function measure(body: unknown): number | undefined {
  if (typeof body !== "object" || body === null) return undefined;
  try {
    return Buffer.byteLength(JSON.stringify(body));
  } catch {
    // The body is nested too deeply.
    return undefined;
  }
}

function toRow(
  exchange: ReturnType<typeof toExchange>,
  receivedAt: number,
  masks: Masks,
): NewRequest {
  const { url, msisdn, body, answer, status, transactionId } = exchange;
  const personal = new PersonalNumbers();
  if (msisdn !== undefined) personal.add(msisdn);
  const maskedBody = body === undefined ? undefined : masks.request.maskBody(body, personal);
  const maskedAnswer =
    answer === undefined ? undefined : maskAnswer(answer, status, masks, personal);
  const path = masks.paths.has(url) ? url : personal.hide(masks.request.maskUrl(url, personal));
  const { requestBytes = null, responseBytes = null } = exchange;
  return {
    account_id: exchange.accountId,
    environment: exchange.environment,
    key_id: exchange.keyId,
    request_id: exchange.id,
    received_at: receivedAt,
    method: exchange.method,
    path,
    status,
    duration_ms: exchange.duration_ms,
    transaction_id: transactionId === undefined ? null : personal.hide(maskText(transactionId)),
    request_bytes: requestBytes,
    request_body: maskedBody === undefined ? null : toText(personal.hideInJson(maskedBody)),
    response_bytes: responseBytes,
    response_body: maskedAnswer === undefined ? null : personal.hideInJson(maskedAnswer),
  };
}

/** @returns null for a body that masks have made too large */
function toText(text: string): string | null {
  return text.length > 2 * MAX_BODY ? null : text;
}

interface Masks {
  request: SecretMask;
  response: SecretMask;
  /** Paths without parameters, which need no mask. */
  paths: ReadonlySet<string>;
}

/** An error has the fields of the request. */
function maskAnswer(
  answer: string,
  status: number,
  { request, response }: Masks,
  personal: PersonalNumbers,
): string {
  const body: unknown = JSON.parse(answer);
  return status < 400 ? response.maskBody(body, personal) : request.maskError(body as ErrorAnswer);
}

/** @returns undefined for a text that cannot be a transaction, such as one with NUL */
function readTransaction(source: unknown): string | undefined {
  const text = readText(source, "transactionId");
  return text !== undefined && TRANSACTION_ID.test(text) ? text : undefined;
}

function readText(source: unknown, name: string): string | undefined {
  if (typeof source !== "object" || source === null) return undefined;
  const value: unknown = (source as Record<string, unknown>)[name];
  return typeof value === "string" && value.length <= 128 ? value : undefined;
}

/** Adds the names of all fields and parameters in a schema. */
function collectNames(schema: unknown, known: Set<string>): void {
  if (typeof schema !== "object" || schema === null) return;
  for (const [name, part] of Object.entries(schema as Record<string, unknown>)) {
    if (name === "properties") for (const field in part as object) known.add(field);
    collectNames(part, known);
  }
}
