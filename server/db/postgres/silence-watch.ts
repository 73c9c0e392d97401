import type { PoolClient } from "pg";
import { type Clock, SECOND } from "../../lib/clock.ts";

/** Interval of checks of pending responses. */
export const LOOK_INTERVAL_MS = SECOND;
/** Number of checks without a response after which the server is queried about the statement. */
const LOOKS_BEFORE_ASKING = 10;
/**
 * Number of consecutive reports of the server that it does not work on it: the response may have crossed with the
 * first query.
 */
const IDLE_LOOKS = 2;
/** Number of consecutive failed queries. */
const AWAY_LOOKS = 10;

/**
 * Finds the server's processes that are at work; "away" if the server does not respond, undefined if it runs but
 * cannot be queried at the moment.
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
 * Detects that a response will never arrive: a server that lost its power, or a network that dropped a connection,
 * sends nothing that would end it, and the operating system waits for a quarter of an hour. No statement has a time
 * limit: one that the server is working on, or that waits for a lock there, may take long. A statement that is cut
 * off fails like any lost connection: its outcome is unknown. Time is counted in checks, not by a clock: a process
 * that was suspended or busy has not waited.
 */
export class SilenceWatch {
  readonly #deps: Deps;
  readonly #waits = new Set<Wait>();
  /** Number of connections that were abandoned. */
  #given = 0;
  /** That number at the last response on a connection. */
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

  /**
   * Returns whether nothing has arrived on a connection since another was given up: both may have been lost for the
   * same reason.
   */
  isDoubtful(client: object): boolean {
    return (this.#answered.get(client) ?? this.#given) < this.#given;
  }

  /** Stops the checks when no connection is left. */
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

/** Without a closing message, which would be dropped as well. */
export function hangUp({ connection }: Pick<PoolClient, "connection">): void {
  connection.stream.destroy();
}

function isHopeless(wait: Wait, busy: Awaited<ReturnType<FindBusy>>): boolean {
  const isIdle = busy instanceof Set && !busy.has(wait.backend);
  wait.idleLooks = isIdle ? wait.idleLooks + 1 : 0;
  wait.awayLooks = busy === "away" ? wait.awayLooks + 1 : 0;
  return wait.idleLooks >= IDLE_LOOKS || wait.awayLooks >= AWAY_LOOKS;
}
