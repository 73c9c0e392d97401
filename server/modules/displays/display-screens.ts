import { randomUUID } from "node:crypto";
import type { SharedMemory } from "../../db/shared-memory.ts";
import { type Clock, SECOND } from "../../lib/clock.ts";

/** A process that is gone is forgotten with its screens after this long. */
const LASTS_MS = 30 * SECOND;
const RENEWED_MS = 10 * SECOND;

interface Count {
  screens: number;
}

/** The screens that watch a till: those of this process, and how many there are in all. */
export class DisplayScreens {
  readonly #memory: SharedMemory;
  readonly #clock: Clock;
  readonly #wakes = new Map<string, Set<() => void>>();
  readonly #self = randomUUID();
  #cancel: (() => void) | undefined;

  constructor(memory: SharedMemory, clock: Clock) {
    this.#memory = memory;
    this.#clock = clock;
  }

  /** How many watch a code, at any process. */
  async count(code: string): Promise<number> {
    if (!this.#memory.isShared) return this.#wakes.get(code)?.size ?? 0;
    const counts = await this.#memory.list<Count>(topicOf(code));
    return counts.reduce((sum, { value }) => sum + value.screens, 0);
  }

  /** @param wake is called when there may be something else to show */
  async add(code: string, wake: () => void): Promise<void> {
    const wakes = this.#wakes.get(code) ?? new Set();
    this.#wakes.set(code, wakes.add(wake));
    await this.#publish(code);
    this.#renewLater();
  }

  async remove(code: string, wake: () => void): Promise<void> {
    const wakes = this.#wakes.get(code);
    wakes?.delete(wake);
    if (wakes?.size === 0) this.#wakes.delete(code);
    await this.#publish(code);
  }

  /** @param code undefined for all */
  wake(code?: string): void {
    const codes = code === undefined ? [...this.#wakes.keys()] : [code];
    for (const each of codes) for (const wake of this.#wakes.get(each) ?? []) wake();
  }

  stop(): void {
    this.#cancel?.();
    this.wake();
  }

  async #publish(code: string): Promise<void> {
    if (!this.#memory.isShared) return;
    const screens = this.#wakes.get(code)?.size ?? 0;
    const step = () => (screens > 0 ? { screens } : undefined);
    await this.#memory.change<Count>(topicOf(code), this.#self, step, LASTS_MS);
  }

  #renewLater(): void {
    if (!this.#memory.isShared) return;
    this.#cancel ??= this.#clock.wakeAt(this.#clock.now() + RENEWED_MS, () => {
      this.#cancel = undefined;
      const renewed = [...this.#wakes.keys()].map((code) => this.#publish(code));
      // Where the server is away, screens are counted again once it is back.
      void Promise.allSettled(renewed).then(() => this.#wakes.size > 0 && this.#renewLater());
    });
  }
}

function topicOf(code: string): string {
  return `screens-${code}`;
}
