import type { FastifyRequest } from "fastify";
import type { Log } from "../lib/log.ts";
import type { App } from "./app-types.ts";
import { isHandedOver } from "./later-app.ts";

const ID = /^[A-Za-z0-9_-]{1,128}$/;
const WATCHED = new Set(["/healthz", "/readyz", "/metrics"]);

/**
 * Logs source and route of each request. Never logs the URL or the body, because they may contain a
 * phone number or a PIN.
 */
export function registerRequestLog(app: App, log: Log & { level: string }): void {
  app.addHook("onResponse", (request, reply, done) => {
    if (log.level === "silent" || isHandedOver(request)) return done();
    const { url: route = "" } = request.routeOptions;
    const line = {
      reqId: request.id,
      method: request.method,
      route,
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime),
      from: request.ip,
      ...idsOf(request),
    };
    if (WATCHED.has(route)) log.debug(line, "request answered");
    else log.info(line, "request answered");
    done();
  });
}

function idsOf({ params, body, client, actor }: FastifyRequest) {
  return {
    ...(client && { keyId: client.keyId, environment: client.environment }),
    ...(actor && { staffId: actor.staffId, environment: actor.environment }),
    ...pick(params),
    ...pick(body),
  };
}

function pick(source: unknown): { transactionId?: string; saleId?: string } {
  if (typeof source !== "object" || source === null) return {};
  const { transactionId, saleId } = source as Record<string, unknown>;
  return {
    ...(isId(transactionId) && { transactionId }),
    ...(isId(saleId) && { saleId }),
  };
}

function isId(value: unknown): value is string {
  return typeof value === "string" && ID.test(value);
}
