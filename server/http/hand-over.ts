import type { FastifyRequest } from "fastify";
import type { App } from "./app-types.ts";
import type { LaterApp } from "./later-app.ts";

/** What programs ask begins with one of these; everything else is the till's. */
const PROGRAMS: ReadonlySet<string> = new Set([
  "/v1",
  "/hooks",
  "/docs",
  "/healthz",
  "/readyz",
  "/metrics",
]);

const handedOver = new WeakSet<FastifyRequest>();

/** Hands what is not asked by programs to the till's application. Call before any other hook is added. */
export function registerHandOver(programs: App, till: LaterApp): void {
  programs.addHook("onRequest", (request, reply, done) => {
    // Where it is never made, the gateway stops, as the programs' application says too.
    if (till.isNeverMade || isForPrograms(request.raw.url ?? "/")) {
      done();
      return;
    }
    handedOver.add(request);
    reply.hijack();
    till.carryOut(request.raw, reply.raw);
  });
}

/** Whether the till's application answers it, and notes that it did. */
export function isHandedOver(request: FastifyRequest): boolean {
  return handedOver.has(request);
}

/** By the beginning of its path, as a route would be found: a letter may be written as its code. */
export function isForPrograms(url: string): boolean {
  const path = url.replace(/^[a-z]+:\/\/[^/]*/i, "");
  const [beginning = ""] = /^\/[^/?#;]*/.exec(path) ?? [];
  try {
    return PROGRAMS.has(decodeURI(beginning));
  } catch {
    return false;
  }
}
