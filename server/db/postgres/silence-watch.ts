import type { PoolClient } from "pg";
import { type Clock, SECOND } from "../../lib/clock.ts";

/** Interval between checks of pending responses. */
export const LOOK_INTERVAL_MS = SECOND;
/** Number of checks without a response after which the server is asked about the statement. */
const LOOKS_BEFORE_ASKING = 10;
/**
 * Number of consecutive reports that the server is not running the statement, after which the
 * connection is closed. One report is not enough: the response may have been on its way.
 */
const IDLE_LOOKS = 2;
/** Number of consecutive unanswered queries to the server, after which the connection is closed. */
const AWAY_LOOKS = 10;

/**
 * Returns the given server processes that are working; "away" if the server does not respond;
 * undefined if the server runs but cannot be queried now.
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
 * Detects that a response will never arrive. After a power cut of the server or a lost connection
 * in the network, the operating system detects the loss only after a quarter of an hour. Statements
 * have no time limit, because the server may work on a statement or wait for a lock for a long
 * time. If the connection is closed, the statement fails with an unknown outcome. The timeout is a
 * number of checks, because a clock would also count the time while this process is suspended or
 * busy.
 */
export class SilenceWatch {
  readonly #deps: Deps;
  readonly #waits = new Set<Wait>();
  /** Number of connections that were closed as lost. */
  #given = 0;
  /** Value of `#given` at the last response on each connection. */
  readonly #answered = new WeakMap<object, number>();
  #cancel: (() => void) | undefined;
  #isStopped = false;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** @param backend process id of the connection on the server */
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
   * Returns whether a connection has received nothing after another connection was closed as lost:
   * both may have been lost for the same reason.
   */
  isDoubtful(client: object): boolean {
    return (this.#answered.get(client) ?? this.#given) < this.#given;
  }

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

/** Closes the connection without a closing message, which the network would drop. */
export function hangUp({ connection }: Pick<PoolClient, "connection">): void {
  connection.stream.destroy();
}

function isHopeless(wait: Wait, busy: Awaited<ReturnType<FindBusy>>): boolean {
  const isIdle = busy instanceof Set && !busy.has(wait.backend);
  wait.idleLooks = isIdle ? wait.idleLooks + 1 : 0;
  wait.awayLooks = busy === "away" ? wait.awayLooks + 1 : 0;
  return wait.idleLooks >= IDLE_LOOKS || wait.awayLooks >= AWAY_LOOKS;
}
