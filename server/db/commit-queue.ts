import { pause } from "../lib/clock.ts";
import { CLAIMS, type Lock } from "./account-lock.ts";
import type { Connections, Writer } from "./connections.ts";
import type { Tx } from "./database.ts";
import { outsideTransactions } from "./transaction-scope.ts";

/** Piece of work that waits for the next commit. */
export interface Body {
  readonly lock: Lock;
  /** Runs the work and keeps its outcome. @returns what it noted. @throws what the work throws */
  run(tx: Tx): Promise<readonly object[]>;
  /** Reports the outcome to the caller. */
  settle(): void;
  fail(error: unknown): void;
}

/** Bodies of one commit, and what it locks. */
export interface Group {
  lock: Lock;
  bodies: Body[];
}

/**
 * Commits a group, and tells those who wait for it what became of it.
 * @returns whether it was committed
 */
export type WriteGroup = (writer: Writer, group: Group) => Promise<boolean>;

/** The most that one commit holds, so that the first in it is answered soon. */
const BODIES_AT_ONCE = 256;
/** After so many turns in a row that brought nothing a group is begun. */
const QUIET_TURNS = 2;
/** How often the event loop may turn before a group is begun, however many go on arriving. */
const TURNS_AT_MOST = 32;

/**
 * What waits to be written (`transactor.ts`). Where there are several connections, one of them is left for claims, which
 * say that this process lives: they wait for nobody else's work.
 */
export class CommitQueue {
  readonly #waiting: Body[] = [];
  readonly #isLockedWhole: boolean;
  readonly #write: WriteGroup;
  /** The last one is taken next: where nothing is written at once, always the same. */
  readonly #idle: Writer[];
  readonly #leftForClaims: number;
  /** What the groups have locked that are being written. */
  readonly #locked = new Set<Lock>();
  #isGathering = false;

  constructor({ writers, isLockedWhole }: Connections, write: WriteGroup) {
    this.#idle = writers.toReversed();
    this.#leftForClaims = writers.length > 1 ? 1 : 0;
    this.#isLockedWhole = isLockedWhole;
    this.#write = write;
  }

  add(body: Body): void {
    this.#waiting.push(body);
    this.#begin();
  }

  /** Of a group that is being written: the last of it are the first of the next. */
  putBack(bodies: readonly Body[]): void {
    this.#waiting.unshift(...bodies);
  }

  /** Once there is a connection that may take something. */
  #begin(): void {
    if (this.#isGathering || this.#findFree() === -1) return;
    this.#isGathering = true;
    void outsideTransactions(() => this.#writeAll());
  }

  async #writeAll(): Promise<void> {
    await this.#gather();
    this.#isGathering = false;
    for (let group = this.#take(); group; group = this.#take()) {
      const writer = this.#idle.pop();
      if (writer) void this.#writeApart(writer, group);
    }
  }

  async #writeApart(writer: Writer, group: Group): Promise<void> {
    // Of claims nothing is locked.
    if (group.lock !== CLAIMS) this.#locked.add(group.lock);
    let isDone = false;
    try {
      isDone = await this.#write(writer, group);
    } finally {
      this.#locked.delete(group.lock);
      // One that may have lost its connection is the last to be taken again.
      if (isDone) this.#idle.push(writer);
      else this.#idle.unshift(writer);
      this.#begin();
    }
  }

  /** Where the first body is that can be written now. */
  #findFree(): number {
    const isRoom = this.#idle.length > this.#leftForClaims;
    const isFree = ({ lock }: Body) =>
      lock === CLAIMS ? this.#idle.length > 0 : isRoom && !this.#locked.has(lock);
    return this.#waiting.findIndex(isFree);
  }

  /**
   * Lets the event loop turn until it brings no more work: what was woken by the same events, or asked
   * by a crowd of clients at once, joins one group. Who is alone waits for a few empty turns.
   */
  async #gather(): Promise<void> {
    let quiet = 0;
    for (let turn = 0; turn < TURNS_AT_MOST && quiet < QUIET_TURNS; turn++) {
      const before = this.#waiting.length;
      await pause();
      quiet = this.#waiting.length > before ? 0 : quiet + 1;
    }
  }

  /**
   * Takes what is to be committed together: everything where there is one lock for all, and otherwise the first
   * body of what is not locked already with those that wait for the same account, so that nobody waits for the
   * lock of another. Work of no account is alone, so that it holds what it has locked for as short as possible.
   * @returns undefined where everything has to wait
   */
  #take(): Group | undefined {
    const first = this.#findFree();
    const lock = this.#waiting[first]?.lock;
    if (lock === undefined) return undefined;
    if (this.#isLockedWhole) return { lock, bodies: this.#waiting.splice(0, BODIES_AT_ONCE) };
    if (typeof lock !== "string") return { lock, bodies: this.#waiting.splice(first, 1) };
    const bodies: Body[] = [];
    for (let index = first; index < this.#waiting.length && bodies.length < BODIES_AT_ONCE; ) {
      if (this.#waiting[index]?.lock === lock) bodies.push(...this.#waiting.splice(index, 1));
      else index += 1;
    }
    return { lock, bodies };
  }
}
