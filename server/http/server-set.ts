import type { Server } from "node:http";

/** A server of the gateway, and whether it uses TLS. */
export interface Served {
  readonly server: Server;
  readonly isSecure: boolean;
}

/** The servers of one application: its own, and those of the network. */
export class ServerSet {
  readonly #all: Served[] = [];
  readonly #callbacks: ((served: Served) => void)[] = [];

  add(served: Served): void {
    this.#all.push(served);
    for (const callback of this.#callbacks) callback(served);
  }

  /** Calls back with each server, including those added later. */
  each(callback: (served: Served) => void): void {
    this.#callbacks.push(callback);
    for (const served of this.#all) callback(served);
  }

  list(): readonly Served[] {
    return this.#all;
  }
}
