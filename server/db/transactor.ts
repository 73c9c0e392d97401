import { type Clock, pause, systemClock } from "../lib/clock.ts";
import { CLAIMS, type Lock } from "./account-lock.ts";
import { type Connections, getConnections, type Writer } from "./connections.ts";
import type { Db, Tx } from "./database.ts";
import { rememberInGroup } from "./group-memory.ts";
import { outsideTransactions, refuseInside, runInTransaction } from "./transaction-scope.ts";
import type { WriteHealth } from "./write-health.ts";

/** Maximum number of bodies in a commit, so that the first one is answered soon. */
const BODIES_AT_ONCE = 256;
/** Number of consecutive turns without new work after which a group starts. */
const QUIET_TURNS = 2;
/**
 * Maximum number of turns of the event loop before a group starts, however much work keeps
 * arriving.
 */
const TURNS_AT_MOST = 32;

/**
 * Work that waits to be written (`transactor.ts`). With several connections, one is reserved for claims, which show
 * that this process is alive: they wait for no other work.
 */
class CommitQueue {
  readonly #waiting: Body[] = [];
  readonly #isLockedWhole: boolean;
  readonly #write: WriteGroup;
  /** The last one is taken next, so that without parallel writes it is always the same. */
  readonly #idle: Writer[];
  readonly #leftForClaims: number;
  /** Locks of the groups that are being written. */
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

  /** Returns the last bodies of a group to the front of the next one. */
  putBack(bodies: readonly Body[]): void {
    this.#waiting.unshift(...bodies);
  }

  /** Starts groups while there is a free connection. */
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
    // Claims lock nothing.
    if (group.lock !== CLAIMS) this.#locked.add(group.lock);
    let isDone = false;
    try {
      isDone = await this.#write(writer, group);
    } finally {
      this.#locked.delete(group.lock);
      // A connection that may be lost is the last to be taken again.
      if (isDone) this.#idle.push(writer);
      else this.#idle.unshift(writer);
      this.#begin();
    }
  }

  /** Returns the index of the first body that can be written now. */
  #findFree(): number {
    const isRoom = this.#idle.length > this.#leftForClaims;
    const isFree = ({ lock }: Body) =>
      lock === CLAIMS ? this.#idle.length > 0 : isRoom && !this.#locked.has(lock);
    return this.#waiting.findIndex(isFree);
  }

  /**
   * Lets the event loop turn until no more work arrives: work that the same events started, or that
   * many clients requested at once, joins one group. Single work waits for a few empty turns.
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
   * Takes the work that is committed together. With one lock for all, this is everything. Otherwise it is the
   * first body whose account is not locked, with those that wait for the same account, so that no work waits
   * for the lock of another account. Work of no account is alone, so that it holds its locks for as short as
   * possible.
   * @returns undefined if all work has to wait
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

/**
 * Runs work in a transaction, and resolves once it is on the disk. A transaction inside a
 * transaction, or a query of the database itself inside one, throws at once.
 */
export interface Transactor {
  /**
   * @param lock the account whose rows the work reads and writes: no other transaction writes them
   * @throws the work's error, and then nothing of it is stored; or the error of the disk
   */
  transact<T>(lock: Lock, work: (tx: Tx) => Promise<T>, options?: WorkOptions): Promise<T>;
  /**
   * Called at every commit, once for all the work in it, with the tables that were written (tables
   * of rolled-back work may be among them) and the notes of the work.
   */
  onCommit(listener: CommitListener): void;
}

export interface WorkOptions {
  /**
   * The work changes nothing but the database, so that it may run again from its start: work of this kind shares a
   * savepoint with its neighbours, and has a separate one only if one of them fails.
   */
  isRepeatable?: boolean;
}

/** Options of work that changes nothing but the database. */
export const REPEATABLE: WorkOptions = { isRepeatable: true };

/** @param notes added by `noteInTransaction`, in the order of the work */
export type CommitListener = (written: ReadonlySet<string>, notes: readonly object[]) => void;

interface Options {
  /** Notified of writes that fail. */
  health?: WriteHealth;
  /** Measures how long a group has taken. */
  clock?: Pick<Clock, "running">;
  /** Refuses work that waits for anything but the database, because it would delay every answer. */
  isStrict?: boolean;
}

const GROUP_MS = 20;
/**
 * Turns in which promises settle, so that callers that waited for the connection before the end are queued
 * by then.
 */
const TURNS_BEFORE_COMMIT = 8;

/**
 * Commits in groups: bodies that are ready run one after another inside one transaction, each in a savepoint of its
 * own or of several that are repeatable, and all are answered when that is on the disk. There is no timer: work that
 * arrives while a group is being written forms the next group. With several connections that write, groups of
 * different accounts are written in parallel, those of one account never.
 *
 * A body that fails is rolled back to its savepoint; the others continue. An error that ends the transaction itself (a
 * full disk) fails all bodies in it with that reason, before any of them was answered.
 */
export function createTransactor(db: Db, options: Options = {}): Transactor {
  const { health, clock = systemClock, isStrict = false } = options;
  const connections = getConnections(db);
  const { owner } = connections;
  const apart = { connections, health };
  const listeners: CommitListener[] = [];

  async function commitGroup(
    { db: writer, written }: Writer,
    { lock, bodies: group }: Group,
  ): Promise<boolean> {
    let done: readonly Done[] = [];
    try {
      await writer.transaction().execute(async (tx) => {
        await connections.prepareTransaction(tx, lock);
        rememberInGroup(tx, written);
        const began = clock.running();
        const isTimeOver = () => clock.running() - began > GROUP_MS;
        const ran = await runGroup(tx, group, { ...apart, isTimeOver });
        queue.putBack(group.splice(ran.count));
        done = ran.done;
        await complete(tx, () => connections.completeTransaction(tx, lock, written));
      });
    } catch (error) {
      health?.failed(error);
      for (const body of group) body.fail(error);
      return false;
    }
    for (const { body } of done) body.settle();
    const notes = done.flatMap((one) => one.notes);
    for (const listener of listeners) listener(written, notes);
    return true;
  }

  const queue = new CommitQueue(connections, commitGroup);
  return {
    async transact<T>(
      lock: Lock,
      work: (tx: Tx) => Promise<T>,
      { isRepeatable = false }: WorkOptions = {},
    ): Promise<T> {
      refuseInside(owner);
      return new Promise((resolve, reject) => {
        let outcome: T;
        queue.add({
          lock,
          isRepeatable,
          async run(tx) {
            const { result, notes } = await runInTransaction(owner, () => work(tx), isStrict);
            outcome = result;
            return notes;
          },
          settle: () => resolve(outcome),
          fail: reject,
        });
      });
    },
    onCommit(listener) {
      listeners.push(listener);
    },
  };
}

/** Work that a body started without waiting for it runs first, and is refused with the remedy. */
async function complete(tx: Tx, end: () => Promise<void> | undefined): Promise<void> {
  for (let turn = 0; turn < TURNS_BEFORE_COMMIT; turn++) await Promise.resolve();
  await tx.getExecutor().provideConnection(async () => {});
  await end();
}

/** A body whose work is in the current transaction, with the notes of its work. */
interface Done {
  body: Body;
  notes: readonly object[];
}

interface GroupRun {
  connections: Connections;
  health: WriteHealth | undefined;
  /** Returns whether the group has taken so long that the rest waits for the next one. */
  isTimeOver(): boolean;
}

/**
 * Runs the bodies of a group in their order, until all have run or the time is up.
 * @returns the number that have run, and those of them that did not fail
 * @throws the error of a body that ended the whole transaction
 */
async function runGroup(
  tx: Tx,
  group: readonly Body[],
  run: GroupRun,
): Promise<{ count: number; done: readonly Done[] }> {
  const [first] = group;
  if (first && group.length === 1) {
    return { count: 1, done: [{ body: first, notes: await first.run(tx) }] };
  }
  const done: Done[] = [];
  let count = 0;
  // Bodies up to here have separate savepoints: one of them has failed beside the others.
  let apartUntil = 0;
  while (count < group.length && !(count > 0 && run.isTimeOver())) {
    const together = count < apartUntil ? [] : takeRepeatable(group, count);
    if (together.length > 1) {
      const ran = await runTogether(tx, together, run);
      if (ran) {
        done.push(...ran);
        count += ran.length;
      } else apartUntil = count + together.length;
    } else {
      const body = group[count];
      const notes = body && (await runApart(tx, body, run));
      if (notes) done.push({ body, notes });
      count += 1;
    }
  }
  return { count, done };
}

/** Returns the repeatable bodies in a row from an index on. */
function takeRepeatable(group: readonly Body[], from: number): readonly Body[] {
  const end = group.findIndex((body, index) => index >= from && !body.isRepeatable);
  return group.slice(from, end === -1 ? undefined : end);
}

/**
 * Runs repeatable bodies in one savepoint, at least the first and as many more as time allows.
 * @returns undefined if one failed: nothing of any is in the transaction
 */
async function runTogether(
  tx: Tx,
  bodies: readonly Body[],
  { connections, isTimeOver }: GroupRun,
): Promise<Done[] | undefined> {
  const done: Done[] = [];
  await connections.setSavepoint(tx, "set");
  try {
    for (const body of bodies) {
      if (done.length > 0 && isTimeOver()) break;
      done.push({ body, notes: await body.run(tx) });
    }
  } catch (error) {
    if (!connections.isWriting()) throw error;
    await connections.setSavepoint(tx, "undo");
    return undefined;
  }
  await connections.setSavepoint(tx, "keep");
  return done;
}

/**
 * Runs a body in a savepoint of its own.
 * @returns its notes; undefined if it failed. @throws its error if that ended the whole
 *   transaction
 */
async function runApart(
  tx: Tx,
  body: Body,
  { connections, health }: GroupRun,
): Promise<readonly object[] | undefined> {
  await connections.setSavepoint(tx, "set");
  try {
    const notes = await body.run(tx);
    await connections.setSavepoint(tx, "keep");
    return notes;
  } catch (error) {
    if (!connections.isWriting()) throw error;
    await connections.setSavepoint(tx, "undo");
    health?.failed(error);
    body.fail(error);
    return undefined;
  }
}

/** Piece of work that waits for the next commit. */
interface Body {
  readonly lock: Lock;
  /** Whether it may run again from its start (`WorkOptions`). */
  readonly isRepeatable: boolean;
  /** Runs the work and keeps its outcome. @returns its notes. @throws the work's error */
  run(tx: Tx): Promise<readonly object[]>;
  /** Reports the outcome to the caller. */
  settle(): void;
  fail(error: unknown): void;
}

/** Bodies of one commit, and their locks. */
interface Group {
  lock: Lock;
  bodies: Body[];
}

/**
 * Commits a group, and reports the outcome to its callers.
 * @returns whether it was committed
 */
type WriteGroup = (writer: Writer, group: Group) => Promise<boolean>;
