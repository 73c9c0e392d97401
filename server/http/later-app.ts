import type { IncomingMessage, ServerResponse } from "node:http";
import type { FastifyRequest } from "fastify";
import type { App } from "./app-types.ts";

/**
 * An application that is made when the first request for it comes, or a moment after the gateway listens: a start
 * does not wait for it. What is asked meanwhile waits, and is answered as ever.
 */
export class LaterApp {
  #begin: (() => Promise<App>) | undefined;
  #making: Promise<App> | undefined;
  #made: App | undefined;
  #isClosed = false;

  /** @param begin wires it; it takes no request before it is ready */
  makeBy(begin: () => Promise<App>): void {
    this.#begin = begin;
  }

  /** @throws what is wrong with how it is wired: a fault of ours, after which the gateway has to end */
  make(): Promise<App> {
    this.#making ??= this.#make();
    return this.#making;
  }

  /** Carries a request out, once it can. Where it never can, the connection ends. */
  carryOut(request: IncomingMessage, response: ServerResponse): void {
    if (this.#made) {
      this.#made.routing(request, response);
      return;
    }
    this.make().then(
      (app) => {
        // The client may have gone.
        if (!response.destroyed) app.routing(request, response);
      },
      () => response.destroy(),
    );
  }

  /** Whether it was closed before anything asked for it. */
  get isNeverMade(): boolean {
    return this.#isClosed && this.#making === undefined;
  }

  /** Ends its streams, and what it holds. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const app = await this.#making?.catch(() => undefined);
    await app?.close();
  }

  async #make(): Promise<App> {
    if (!this.#begin) throw new Error("nothing is there that makes the application");
    const app = await this.#begin();
    await app.ready();
    this.#made = app;
    return app;
  }
}

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
