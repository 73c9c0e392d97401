import { randomInt } from "node:crypto";
import type { Pool, QueryConfig } from "pg";
import { type Clock, MINUTE } from "../../lib/clock.ts";
import { type MemoryListener, MemoryListeners, type SharedMemory } from "../shared-memory.ts";
import { refuseInside } from "../transaction-scope.ts";
import { MEMORY_CHANNEL } from "./commit-notices.ts";
import type { SharedUse } from "./dialect.ts";
import { throwWithState } from "./lost-connection.ts";
import { backendOf, takeConnection } from "./pool.ts";

interface Deps {
  pool: Pool;
  clock: Clock;
  shared: SharedUse;
  self: string;
  onNotice(listener: (topic?: string, name?: string) => void): void;
}

interface Row {
  name: string;
  number: number;
  content: string | null;
  expires_at: number;
}

/**
 * Maximum number of attempts while other processes change the value. More
 * attempts indicate an error.
 */
const TRIES = 50;
const SWEEP_INTERVAL_MS = MINUTE;
/**
 * Upper bound of the random version number with which a new value starts. The number differs from
 * the numbers of a deleted value of the same name.
 */
const FIRST_NUMBERS = 2 ** 40;

const LATER =
  "case when m.expires_at <= $4 or m.expires_at > $4 + $5 then $4 + $5 else m.expires_at end";
const COUNTED = "case when m.expires_at <= $4 or m.expires_at > $4 + $5 then 0 else m.number end";

/**
 * Memory that all processes on a database share, in rows. Each statement is a separate transaction
 * on a separate connection and locks no account, so no sale delays it. Values are encrypted,
 * because displays show customers' phone numbers.
 */
export class MemoryRows implements SharedMemory {
  readonly isShared = true;
  readonly #deps: Deps;
  readonly #listeners = new MemoryListeners();
  #sweptAt = 0;

  constructor(deps: Deps) {
    this.#deps = deps;
    deps.onNotice((topic, name) => this.#listeners.tell(topic, name));
  }

  async read<Value extends object>(topic: string, name: string): Promise<Value | undefined> {
    return this.#valueOf<Value>(await this.#find(topic, name));
  }

  async list<Value extends object>(topic: string): Promise<{ name: string; value: Value }[]> {
    const rows = await this.#ask(
      "select name, number, content, expires_at from shared_memory where topic = $1 order by name",
      [topic],
    );
    return rows.flatMap((row) => {
      const value = this.#valueOf<Value>(row);
      return value ? [{ name: row.name, value }] : [];
    });
  }

  async change<Value extends object>(
    topic: string,
    name: string,
    step: (before: Value | undefined) => Value | undefined,
    lasts_ms: number,
  ): Promise<Value | undefined> {
    await this.#sweep();
    for (let tries = 0; tries < TRIES; tries++) {
      const row = await this.#find(topic, name);
      const before = this.#valueOf<Value>(row);
      const after = step(before);
      if (after === before) return after;
      const place = { topic, name, number: row?.number };
      const isDone = after ? await this.#put(place, after, lasts_ms) : await this.#forget(place);
      if (!isDone) continue;
      this.#listeners.tell(topic, name);
      return after;
    }
    throw new Error(`${topic} ${name} was changed by others ${TRIES} times meanwhile`);
  }

  async count(topic: string, names: readonly string[], by: number, lasts_ms: number) {
    await this.#sweep();
    const now = this.#deps.clock.now();
    // Sorted, so that two transactions with the same names do not deadlock.
    const rows = await this.#ask(
      `insert into shared_memory as m (topic, name, number, expires_at)
       select $1, name, greatest(0, $3::bigint), $4::bigint + $5::bigint
         from unnest($2::text[]) as name order by name
       on conflict (topic, name) do update
         set number = greatest(0, ${COUNTED} + $3), expires_at = ${LATER}
       returning name, number, content, expires_at`,
      [topic, [...names], by, now, lasts_ms],
    );
    return names.map((name) => rows.find((row) => row.name === name)?.number ?? 0);
  }

  onChange(topic: string, listener: MemoryListener): void {
    this.#listeners.add(topic, listener);
  }

  async #find(topic: string, name: string): Promise<Row | undefined> {
    const [row] = await this.#ask(
      "select name, number, content, expires_at from shared_memory where topic = $1 and name = $2",
      [topic, name],
    );
    return row;
  }

  #valueOf<Value extends object>(row: Row | undefined): Value | undefined {
    if (!row || row.content === null || row.expires_at <= this.#deps.clock.now()) return undefined;
    try {
      return JSON.parse(this.#sealer.open(row.content)) as Value;
    } catch {
      // The value was encrypted with another key, and cannot be read.
      return undefined;
    }
  }

  /**
   * Writes a value, unless another process has changed it.
   * @returns whether the value was written
   */
  #put(
    { topic, name, number }: { topic: string; name: string; number: number | undefined },
    value: object,
    lasts_ms: number,
  ): Promise<boolean> {
    const content = this.#sealer.seal(JSON.stringify(value));
    const until = this.#deps.clock.now() + lasts_ms;
    if (number === undefined) {
      const values = [topic, name, randomInt(FIRST_NUMBERS), content, until];
      return this.#write(
        `insert into shared_memory (topic, name, number, content, expires_at)
         values ($1, $2, $3, $4, $5) on conflict do nothing`,
        values,
      );
    }
    return this.#write(
      `update shared_memory set number = number + 1, content = $4, expires_at = $5
       where topic = $1 and name = $2 and number = $3`,
      [topic, name, number, content, until],
    );
  }

  async #forget({
    topic,
    name,
    number,
  }: {
    topic: string;
    name: string;
    number?: number | undefined;
  }) {
    if (number === undefined) return true;
    const where = "topic = $1 and name = $2 and number = $3";
    return this.#write(`delete from shared_memory where ${where}`, [topic, name, number]);
  }

  /**
   * Writes a value and notifies the other processes, in one transaction.
   * @returns whether a row was written
   */
  async #write(statement: string, values: unknown[]): Promise<boolean> {
    const [topic, name] = values;
    if (!this.#listeners.has(String(topic))) {
      return (await this.#ask(`${statement} returning name`, values)).length > 0;
    }
    const notice = `${this.#deps.self} ${topic} ${name}`;
    const told = values.length + 1;
    const rows = await this.#ask(
      `with written as (${statement} returning name)
       select name, pg_notify('${MEMORY_CHANNEL}', $${told}) from written`,
      [...values, notice],
    );
    return rows.length > 0;
  }

  async #sweep(): Promise<void> {
    const now = this.#deps.clock.now();
    if (Math.abs(now - this.#sweptAt) < SWEEP_INTERVAL_MS) return;
    this.#sweptAt = now;
    await this.#ask("delete from shared_memory where expires_at <= $1", [now]);
  }

  async #ask(statement: string, values: unknown[]): Promise<Row[]> {
    const { shared } = this.#deps;
    refuseInside(shared.owner);
    shared.onStatement?.(statement, true);
    shared.underWay += 1;
    try {
      const query = { text: statement, values, ...shared.names.for(statement, values) };
      return (await this.#query(query)).rows;
    } catch (error) {
      return throwWithState(error);
    } finally {
      shared.underWay -= 1;
    }
  }

  async #query(query: QueryConfig) {
    const { pool, shared } = this.#deps;
    const client = await takeConnection(pool, shared.silence);
    let isLost = true;
    try {
      const ask = () => client.query<Row>(query);
      const answer = await shared.silence.during(client, backendOf(client), ask);
      isLost = false;
      return answer;
    } finally {
      client.release(isLost);
    }
  }

  get #sealer() {
    const { sealer } = this.#deps.shared;
    if (!sealer) throw new Error("nobody has said how texts are sealed");
    return sealer;
  }
}
