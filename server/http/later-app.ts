import type { IncomingMessage, ServerResponse } from "node:http";
import type { FastifyRequest } from "fastify";
import type { App } from "./app-types.ts";

/**
 * An application that is built on its first request, or shortly after listening, so that it does
 * not delay the start. Requests wait for it.
 */
export class LaterApp {
  #begin: (() => Promise<App>) | undefined;
  #making: Promise<App> | undefined;
  #made: App | undefined;
  #isClosed = false;

  /** @param begin builds the application */
  makeBy(begin: () => Promise<App>): void {
    this.#begin = begin;
  }

  /** @throws errors while the application is built. They are bugs: the gateway must end */
  make(): Promise<App> {
    this.#making ??= this.#make();
    return this.#making;
  }

  /** The connection ends if the application is never built. */
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

  /** True if the application was closed before its first request. */
  get isNeverMade(): boolean {
    return this.#isClosed && this.#making === undefined;
  }

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

/** First path segments of programs' requests. */
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

/** Hands the till's requests over to its application. Call before adding other hooks. */
export function registerHandOver(programs: App, till: LaterApp): void {
  programs.addHook("onRequest", (request, reply, done) => {
    // A till that is never built means that the gateway is stopping.
    if (till.isNeverMade || isForPrograms(request.raw.url ?? "/")) {
      done();
      return;
    }
    handedOver.add(request);
    reply.hijack();
    till.carryOut(request.raw, reply.raw);
  });
}

export function isHandedOver(request: FastifyRequest): boolean {
  return handedOver.has(request);
}

/** Compares the start of the path as routing does: letters may be percent-encoded. */
export function isForPrograms(url: string): boolean {
  const path = url.replace(/^[a-z]+:\/\/[^/]*/i, "");
  const [beginning = ""] = /^\/[^/?#;]*/.exec(path) ?? [];
  try {
    return PROGRAMS.has(decodeURI(beginning));
  } catch {
    return false;
  }
}
