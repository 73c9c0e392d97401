import type { FastifyRequest } from "fastify";
import type { App } from "./app-types.ts";

const ID = /^[A-Za-z0-9_-]{1,128}$/;
/** Asked for every few seconds by monitors. */
const WATCHED = new Set(["/healthz", "/readyz", "/metrics"]);

/**
 * One line for each request: by its route, never by its address or body, which may hold a phone
 * number or a PIN.
 */
export function registerRequestLog(app: App): void {
  app.addHook("onResponse", (request, reply, done) => {
    const { url: route = "" } = request.routeOptions;
    const line = {
      method: request.method,
      route,
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime),
      ...idsOf(request),
    };
    if (WATCHED.has(route)) request.log.debug(line, "answered");
    else request.log.info(line, "answered");
    done();
  });
}

/** Whom and what a request is about, as far as that is known. */
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
  const found = source as Record<string, unknown>;
  return Object.fromEntries(
    ["transactionId", "saleId"].flatMap((name) => {
      const id = found[name];
      return typeof id === "string" && ID.test(id) ? [[name, id]] : [];
    }),
  );
}
