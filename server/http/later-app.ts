import type { IncomingMessage, ServerResponse } from "node:http";
import type { FastifyRequest } from "fastify";
import type { App } from "./app-types.ts";

/**
 * An application that is built on its first request, or a moment after the gateway listens, so that a start
 * is not delayed. Earlier requests wait.
 */
export class LaterApp {
  #begin: (() => Promise<App>) | undefined;
  #making: Promise<App> | undefined;
  #made: App | undefined;
  #isClosed = false;

  /** @param begin builds it; it receives no request before it is ready */
  makeBy(begin: () => Promise<App>): void {
    this.#begin = begin;
  }

  /** @throws a build error, which is a bug: the gateway must end */
  make(): Promise<App> {
    this.#making ??= this.#make();
    return this.#making;
  }

  /** Processes a request as soon as possible; the connection ends if the application is never built. */
  carryOut(request: IncomingMessage, response: ServerResponse): void {
    if (this.#made) {
      this.#made.routing(request, response);
      return;
    }
    this.make().then(
      (app) => {
        // The client may have disconnected.
        if (!response.destroyed) app.routing(request, response);
      },
      () => response.destroy(),
    );
  }

  /** True if it was closed before the first request. */
  get isNeverMade(): boolean {
    return this.#isClosed && this.#making === undefined;
  }

  /** Ends its streams and releases its resources. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const app = await this.#making?.catch(() => undefined);
    await app?.close();
  }

  async #make(): Promise<App> {
    if (!this.#begin) throw new Error("the application has no builder");
    const app = await this.#begin();
    await app.ready();
    this.#made = app;
    return app;
  }
}

/** First path segments of programs' requests; all others are the till's. */
const PROGRAMS: ReadonlySet<string> = new Set([
  "/v1",
  "/hooks",
  "/docs",
  "/sandbox",
  "/healthz",
  "/readyz",
  "/metrics",
]);

const handedOver = new WeakSet<FastifyRequest>();

/** Hands the till's requests to its application. Call before any other hook is added. */
export function registerHandOver(programs: App, till: LaterApp): void {
  programs.addHook("onRequest", (request, reply, done) => {
    // If it is never built, the gateway is stopping, and the programs' application answers so.
    if (till.isNeverMade || isForPrograms(request.raw.url ?? "/")) {
      done();
      return;
    }
    handedOver.add(request);
    reply.hijack();
    till.carryOut(request.raw, reply.raw);
  });
}

/** Returns whether the till's application answers a request, and records it. */
export function isHandedOver(request: FastifyRequest): boolean {
  return handedOver.has(request);
}

/** Classifies by the start of the path as routing does: letters may be percent-encoded. */
export function isForPrograms(url: string): boolean {
  const path = url.replace(/^[a-z]+:\/\/[^/]*/i, "");
  const [beginning = ""] = /^\/[^/?#;]*/.exec(path) ?? [];
  try {
    return PROGRAMS.has(decodeURI(beginning));
  } catch {
    return false;
  }
}
