import { type Clock, MINUTE } from "../lib/clock.ts";

/**
 * State that a gateway needs for minutes, outside the shop's books: the view of a display, the
 * outcome of a print, the failed guesses of a source. A single process on a SQLite file uses its
 * own memory. On PostgreSQL the state is in rows, because any process may get the next request
 * (docs/decisions/0081). The state is lost when the only process ends, so money must not depend on
 * it.
 *
 * A value has a topic and a name, and expires. Values are replaced, never changed in place. Must be
 * used outside transactions.
 */
export interface SharedMemory {
  readonly isShared: boolean;
  read<Value extends object>(topic: string, name: string): Promise<Value | undefined>;
  list<Value extends object>(topic: string): Promise<{ name: string; value: Value }[]>;
  /**
   * Atomically replaces a value by the result of `step`, or deletes it if the result is undefined.
   * If another process changes the value first, `step` is called again with the new value. Errors
   * of `step` are rethrown.
   * @param lasts_ms time until the value expires
   */
  change<Value extends object>(
    topic: string,
    name: string,
    step: (before: Value | undefined) => Value | undefined,
    lasts_ms: number,
  ): Promise<Value | undefined>;
  /**
   * Increases counters. A counter restarts at zero `lasts_ms` after its first increase.
   * @returns the current count of each name
   */
  count(topic: string, names: readonly string[], by: number, lasts_ms: number): Promise<number[]>;
  /**
   * Calls the listener when any process has changed a value of the topic. The name is absent if any
   * value may have changed. Topics without listeners cause no notifications.
   */
  onChange(topic: string, listener: MemoryListener): void;
}

export type MemoryListener = (name?: string) => void;

export class MemoryListeners {
  readonly #ofTopics = new Map<string, MemoryListener[]>();

  add(topic: string, listener: MemoryListener): void {
    this.#ofTopics.set(topic, [...(this.#ofTopics.get(topic) ?? []), listener]);
  }

  has(topic: string): boolean {
    return this.#ofTopics.has(topic);
  }

  /** @param topic undefined for all topics */
  tell(topic?: string, name?: string): void {
    const topics = topic === undefined ? [...this.#ofTopics.keys()] : [topic];
    const listeners = topics.flatMap((each) => this.#ofTopics.get(each) ?? []);
    for (const listener of listeners) listener(name);
  }
}

interface Entry {
  value?: object;
  count: number;
  until: number;
  lasts_ms: number;
}

const SWEEP_INTERVAL_MS = MINUTE;

/** Memory of a process that does not share its database. */
export class OwnMemory implements SharedMemory {
  readonly isShared = false;
  readonly #clock: Clock;
  readonly #topics = new Map<string, Map<string, Entry>>();
  readonly #listeners = new MemoryListeners();
  #sweptAt = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  async read<Value extends object>(topic: string, name: string): Promise<Value | undefined> {
    return this.#find(topic, name)?.value as Value | undefined;
  }

  async list<Value extends object>(topic: string): Promise<{ name: string; value: Value }[]> {
    const names = [...(this.#topics.get(topic)?.keys() ?? [])];
    return names.flatMap((name) => {
      const value = this.#find(topic, name)?.value;
      return value ? [{ name, value: value as Value }] : [];
    });
  }

  async change<Value extends object>(
    topic: string,
    name: string,
    step: (before: Value | undefined) => Value | undefined,
    lasts_ms: number,
  ): Promise<Value | undefined> {
    const before = this.#find(topic, name)?.value as Value | undefined;
    const after = step(before);
    if (after === before) return after;
    const entries = this.#entriesOf(topic);
    // Deleted first, so that the newest entry is the last.
    entries.delete(name);
    const until = this.#clock.now() + lasts_ms;
    if (after) entries.set(name, { value: after, count: 0, until, lasts_ms });
    this.#listeners.tell(topic, name);
    return after;
  }

  async count(topic: string, names: readonly string[], by: number, lasts_ms: number) {
    return names.map((name) => {
      const until = this.#clock.now() + lasts_ms;
      const entry = this.#find(topic, name) ?? { count: 0, until, lasts_ms };
      entry.count = Math.max(0, entry.count + by);
      this.#entriesOf(topic).set(name, entry);
      return entry.count;
    });
  }

  onChange(topic: string, listener: MemoryListener): void {
    this.#listeners.add(topic, listener);
  }

  #find(topic: string, name: string): Entry | undefined {
    const entry = this.#topics.get(topic)?.get(name);
    return entry && !this.#isOver(entry) ? entry : undefined;
  }

  #entriesOf(topic: string): Map<string, Entry> {
    this.#sweep();
    const entries = this.#topics.get(topic) ?? new Map<string, Entry>();
    this.#topics.set(topic, entries);
    return entries;
  }

  /** Returns whether an entry has expired. Setting the clock back does not extend the entry. */
  #isOver({ until, lasts_ms }: Entry): boolean {
    const left_ms = until - this.#clock.now();
    return left_ms <= 0 || left_ms > lasts_ms;
  }

  #sweep(): void {
    const now = this.#clock.now();
    if (Math.abs(now - this.#sweptAt) < SWEEP_INTERVAL_MS) return;
    this.#sweptAt = now;
    for (const [topic, entries] of this.#topics) {
      for (const [name, entry] of entries) if (this.#isOver(entry)) entries.delete(name);
      if (entries.size === 0) this.#topics.delete(topic);
    }
  }
}
