import type { PoolClient } from "pg";
import { type Clock, SECOND } from "../../lib/clock.ts";

/** How often answers that are waited for are looked at. */
export const LOOK_INTERVAL_MS = SECOND;
/** After so many looks without an answer the server is asked what has become of it. */
const LOOKS_BEFORE_ASKING = 10;
/** So often in a row the server says that it is not at work on it: an answer may have crossed with the first question. */
const IDLE_LOOKS = 2;
/** And so often in a row the server cannot even be asked. */
const AWAY_LOOKS = 10;

/**
 * Which of the server's processes are at work for the connections they belong to; "away" where the server says nothing
 * at all, undefined where it is there but nobody can be asked at the moment.
 */
export type FindBusy = (
  backends: readonly number[],
) => Promise<ReadonlySet<number> | "away" | undefined>;

interface Wait {
  client: Pick<PoolClient, "connection">;
  backend: number;
  looks: number;
  idleLooks: number;
  awayLooks: number;
}

interface Deps {
  clock: Pick<Clock, "now" | "wakeAt">;
  findBusy: FindBusy;
  lookInterval_ms: number;
}

/**
 * Notices that an answer will never come: a server that lost its power, or a network that forgot a connection, sends
 * nothing that would end it, and the system goes on waiting for a quarter of an hour. No statement has a time limit:
 * one that the server is at work on, or that waits for a lock there, may last. What is cut off fails as any lost
 * connection does, so nobody knows what became of it. Time is counted in looks, not by a clock: a process that was
 * stopped, or was busy itself, has not waited.
 */
export class SilenceWatch {
  readonly #deps: Deps;
  readonly #waits = new Set<Wait>();
  /** How many connections were given up. */
  #given = 0;
  /** How many had been when a connection was last answered on. */
  readonly #answered = new WeakMap<object, number>();
  #cancel: (() => void) | undefined;
  #isStopped = false;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** @param backend the server's process of the connection */
  async during<T>(client: Wait["client"], backend: number, ask: () => Promise<T>): Promise<T> {
    const wait: Wait = { client, backend, looks: 0, idleLooks: 0, awayLooks: 0 };
    this.#waits.add(wait);
    if (!this.#cancel) this.#lookLater();
    try {
      const answer = await ask();
      this.#answered.set(client, this.#given);
      return answer;
    } finally {
      this.#waits.delete(wait);
    }
  }

  /** Whether nothing has come on a connection since another was given up: what took that one may have taken it too. */
  isDoubtful(client: object): boolean {
    return (this.#answered.get(client) ?? this.#given) < this.#given;
  }

  /** At the end, when no connection is left. */
  stop(): void {
    this.#isStopped = true;
    this.#cancel?.();
  }

  #lookLater(): void {
    const { clock, lookInterval_ms } = this.#deps;
    this.#cancel = undefined;
    if (this.#waits.size === 0 || this.#isStopped) return;
    this.#cancel = clock.wakeAt(clock.now() + lookInterval_ms, () => void this.#look());
  }

  async #look(): Promise<void> {
    for (const wait of this.#waits) wait.looks += 1;
    const silent = [...this.#waits].filter(({ looks }) => looks >= LOOKS_BEFORE_ASKING);
    if (silent.length > 0) {
      const busy = await this.#deps.findBusy(silent.map(({ backend }) => backend));
      for (const wait of silent) {
        if (!this.#waits.has(wait) || !isHopeless(wait, busy)) continue;
        this.#given += 1;
        hangUp(wait.client);
      }
    }
    this.#lookLater();
  }
}

/** Without a farewell, which would be swallowed too. */
export function hangUp({ connection }: Pick<PoolClient, "connection">): void {
  connection.stream.destroy();
}

function isHopeless(wait: Wait, busy: Awaited<ReturnType<FindBusy>>): boolean {
  const isIdle = busy instanceof Set && !busy.has(wait.backend);
  wait.idleLooks = isIdle ? wait.idleLooks + 1 : 0;
  wait.awayLooks = busy === "away" ? wait.awayLooks + 1 : 0;
  return wait.idleLooks >= IDLE_LOOKS || wait.awayLooks >= AWAY_LOOKS;
}
