import type { Server } from "node:http";

export interface Served {
  readonly server: Server;
  readonly isSecure: boolean;
}

export class ServerSet {
  readonly #all: Served[] = [];
  readonly #callbacks: ((served: Served) => void)[] = [];

  add(served: Served): void {
    this.#all.push(served);
    for (const callback of this.#callbacks) callback(served);
  }

  each(callback: (served: Served) => void): void {
    this.#callbacks.push(callback);
    for (const served of this.#all) callback(served);
  }

  list(): readonly Served[] {
    return this.#all;
  }
}
