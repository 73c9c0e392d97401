import type { IncomingMessage, ServerResponse } from "node:http";
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
