import type { IncomingMessage, ServerResponse } from "node:http";
import type { FastifyRequest } from "fastify";
import type { App } from "./app-types.ts";

/**
 * An application that does not delay the gateway's start: it is built on its first request, or
 * shortly after the gateway listens. Requests wait until it is built.
 */
export class LaterApp {
  #begin: (() => Promise<App>) | undefined;
  #making: Promise<App> | undefined;
  #made: App | undefined;
  #isClosed = false;

  makeBy(begin: () => Promise<App>): void {
    this.#begin = begin;
  }

  /** @throws errors while the application is built. They are bugs: the gateway must end */
  make(): Promise<App> {
    this.#making ??= this.#make();
    return this.#making;
  }

  /**
   * Passes a request to the application. Closes the connection if the application is never built.
   */
  carryOut(request: IncomingMessage, response: ServerResponse): void {
    if (this.#made) {
      this.#made.routing(request, response);
      return;
    }
    this.make().then(
      (app) => {
        if (!response.destroyed) app.routing(request, response);
      },
      () => response.destroy(),
    );
  }

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

const PROGRAMS: ReadonlySet<string> = new Set([
  "/v1",
  "/hooks",
  "/docs",
  "/llms.txt",
  "/sandbox",
  "/healthz",
  "/readyz",
  "/metrics",
]);

const handedOver = new WeakSet<FastifyRequest>();

/**
 * Passes the till's requests to the till's application. Must be called before other hooks are
 * added.
 */
export function registerHandOver(programs: App, till: LaterApp): void {
  programs.addHook("onRequest", (request, reply, done) => {
    // If the till is never built, the gateway is stopping and refuses the request itself.
    if (till.isNeverMade || isForPrograms(request.raw.url ?? "/")) {
      done();
      return;
    }
    handedOver.add(request);
    reply.hijack();
    till.carryOut(request.raw, reply.raw);
  });
}

interface Sandboxes<Entry> {
  findByKey(authorization: string | undefined): Entry | undefined;
  enter(entry: Entry): Enter | Promise<Enter>;
}

type Enter = (request: IncomingMessage, response: ServerResponse) => void;

const SANDBOX_PATHS = /^\/(v1|sandbox\/v1)\//;

/**
 * Passes requests with a sandbox's key to the sandbox's application. Must be called after the hooks
 * that check connections, hosts and listeners.
 */
export function registerSandboxHandOver<Entry>(programs: App, sandboxes: Sandboxes<Entry>): void {
  programs.addHook("onRequest", (request, reply, done) => {
    const entry = sandboxes.findByKey(request.headers.authorization);
    if (!entry || !SANDBOX_PATHS.test(request.raw.url ?? "")) {
      done();
      return;
    }
    const pass = (enter: Enter) => {
      handedOver.add(request);
      reply.hijack();
      enter(request.raw, reply.raw);
    };
    const enter = sandboxes.enter(entry);
    if (enter instanceof Promise) enter.then(pass, done);
    else pass(enter);
  });
}

export function isHandedOver(request: FastifyRequest): boolean {
  return handedOver.has(request);
}

/**
 * Returns whether the application for programs serves the URL. Compares the start of the path as
 * routing does: characters may be percent-encoded.
 */
export function isForPrograms(url: string): boolean {
  const path = url.replace(/^[a-z]+:\/\/[^/]*/i, "");
  const [beginning = ""] = /^\/[^/?#;]*/.exec(path) ?? [];
  try {
    return PROGRAMS.has(decodeURI(beginning));
  } catch {
    return false;
  }
}
