import { type Clock, pause, systemClock } from "../lib/clock.ts";
import { CLAIMS, type Lock } from "./account-lock.ts";
import { type Connections, getConnections, type Writer } from "./connections.ts";
import type { Db, Tx } from "./database.ts";
import { forgetInGroup, rememberInGroup } from "./group-memory.ts";
import { outsideTransactions, refuseInside, runInTransaction } from "./transaction-scope.ts";
import { confirmWrites, startWriteBehind } from "./write-behind.ts";
import type { WriteHealth } from "./write-health.ts";

/** Maximum number of bodies per commit: the first caller is answered only after the last body. */
const BODIES_AT_ONCE = 256;
/**
 * Maximum number of repeatable bodies with unconfirmed writes, so that the time of a group includes
 * the server's work.
 */
const BODIES_BEHIND = 16;
/** Number of consecutive turns of the event loop without new work, after which a group starts. */
const QUIET_TURNS = 2;
/** Maximum number of turns of the event loop before a group starts, even if work keeps arriving. */
const TURNS_AT_MOST = 32;

/**
 * Queue of bodies that wait for a commit; a body is the work of one caller. If there are several
 * connections, one is reserved for claims, which show that this process is alive and must not wait
 * for other work.
 */
class CommitQueue {
  readonly #waiting: Body[] = [];
  readonly #isLockedWhole: boolean;
  readonly #write: WriteGroup;
  /**
   * Idle connections. The last connection is used first, so that without parallel writes the same
   * connection is always used.
   */
  readonly #idle: Writer[];
  readonly #leftForClaims: number;
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

  putBack(bodies: readonly Body[]): void {
    this.#waiting.unshift(...bodies);
  }

  /** Starts groups while a connection is idle. */
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
      // A connection that may be lost is used last.
      if (isDone) this.#idle.push(writer);
      else this.#idle.unshift(writer);
      this.#begin();
    }
  }

  /** Returns the index of the first body that can be written now; -1 if there is none. */
  #findFree(): number {
    const isRoom = this.#idle.length > this.#leftForClaims;
    const isFree = ({ lock }: Body) =>
      lock === CLAIMS ? this.#idle.length > 0 : isRoom && !this.#locked.has(lock);
    return this.#waiting.findIndex(isFree);
  }

  /**
   * Waits until no more work arrives, so that work that starts at the same time joins one group. A
   * single body waits only for a few turns of the event loop.
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
   * Takes the bodies for the next commit. If a transaction locks the whole database, takes all
   * waiting bodies. Otherwise takes the first body whose account is not locked, and all other
   * bodies of that account: no body waits for the lock of another account. A body without an
   * account runs alone, so that its locks are short.
   * @returns undefined if all bodies must wait
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
 * Runs work in a transaction, and resolves when the transaction is on the disk. Starting a
 * transaction, or using the database directly, inside a transaction throws at once.
 */
export interface Transactor {
  /**
   * @param lock the account whose rows the work reads and writes: no other transaction writes them
   * @throws the error of the work, or a disk error; nothing of the work is then stored
   */
  transact<T>(lock: Lock, work: (tx: Tx) => Promise<T>, options?: WorkOptions): Promise<T>;
  /**
   * Calls the listener once per commit, with the written tables and the notes of all work in the
   * commit. Tables of rolled-back work may be included.
   */
  onCommit(listener: CommitListener): void;
}

export interface WorkOptions {
  /**
   * True if the work changes nothing but the database, so that it can run again. Consecutive
   * repeatable bodies run together. If one of them fails, each runs again in a separate savepoint.
   */
  isRepeatable?: boolean;
  /**
   * Starts reads that the work needs (`readAhead`), if they can be sent with the lock. They must be
   * compiled queries, which are sent at once.
   */
  ahead?: ((tx: Tx) => void) | undefined;
}

export const REPEATABLE: WorkOptions = { isRepeatable: true };

/** @param notes notes of `noteInTransaction`, in the order of the work */
export type CommitListener = (written: ReadonlySet<string>, notes: readonly object[]) => void;

interface Options {
  health?: WriteHealth;
  clock?: Pick<Clock, "running">;
  /**
   * Refuses work that waits for anything but the database, because such a wait
   * delays all other requests.
   */
  isStrict?: boolean;
}

const GROUP_MS = 20;
/**
 * Number of promise turns before the commit, in which callers that already wait for the connection
 * are queued.
 */
const TURNS_BEFORE_COMMIT = 8;

/**
 * Commits in groups. The waiting bodies run one after another in one transaction, each in a
 * separate savepoint; repeatable bodies run without one until one fails. All callers are answered when the commit
 * is on the disk. Work that arrives while a group is written forms the next group. With several
 * connections, groups of different accounts are written in parallel.
 *
 * A body that fails is rolled back to its savepoint, and the other bodies continue. An error that
 * ends the transaction, such as a full disk, is reported to the callers of all its bodies.
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
        rememberInGroup(tx, written);
        if (connections.isPipelined) startWriteBehind(tx);
        await connections.prepareTransaction(tx, lock, () => {
          for (const body of group) body.ahead?.(tx);
        });
        const began = clock.running();
        const isTimeOver = () => clock.running() - began > GROUP_MS;
        const ran = await runGroup(tx, group, { ...apart, isTimeOver });
        queue.putBack(group.splice(ran.count));
        done = ran.done;
        await complete(tx, () => connections.completeTransaction(tx, lock, written));
      });
    } catch (error) {
      if (error instanceof GroupUndone) {
        queue.putBack(group);
        return true;
      }
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
      { isRepeatable = false, ahead }: WorkOptions = {},
    ): Promise<T> {
      refuseInside(owner);
      return new Promise((resolve, reject) => {
        let outcome: T;
        queue.add({
          lock,
          isRepeatable,
          ahead,
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

/**
 * Ends a transaction. Work that a body started without awaiting it runs before the end, or is
 * refused with the remedy.
 */
async function complete(tx: Tx, end: () => Promise<void> | undefined): Promise<void> {
  for (let turn = 0; turn < TURNS_BEFORE_COMMIT; turn++) await Promise.resolve();
  await tx.getExecutor().provideConnection(async () => {});
  await end();
}

interface Done {
  body: Body;
  notes: readonly object[];
}

interface GroupRun {
  connections: Connections;
  health: WriteHealth | undefined;
  /**
   * Returns whether the group has taken so long that the remaining bodies must
   * wait for the next group.
   */
  isTimeOver(): boolean;
}

/**
 * Runs the bodies of a group in order, until all have run or the time is up.
 * @returns the number of bodies that ran, and the successful bodies
 * @throws the error of a body that ended the whole transaction
 */
async function runGroup(
  tx: Tx,
  group: readonly Body[],
  run: GroupRun,
): Promise<{ count: number; done: readonly Done[] }> {
  const [first] = group;
  if (first && group.length === 1) {
    return { count: 1, done: [{ body: first, notes: await runBody(tx, first) }] };
  }
  const done: Done[] = [];
  let count = 0;
  // Bodies below this index need separate savepoints, because one of them
  // failed in a shared savepoint.
  let apartUntil = 0;
  while (count < group.length && !(count > 0 && run.isTimeOver())) {
    const together = count < apartUntil ? [] : takeRepeatable(group, count);
    if (together.length > 1) {
      const ran = await (count === 0 ? runFirst : runTogether)(tx, together, run);
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

/**
 * Runs a body until its writes are confirmed.
 * @throws the error of the body's first failed write, because later statements fail as a result;
 * otherwise the error of the body
 */
async function runBody(tx: Tx, body: Body): Promise<readonly object[]> {
  const running = body.run(tx);
  await Promise.allSettled([running]);
  await confirmWrites(tx);
  return running;
}

function takeRepeatable(group: readonly Body[], from: number): readonly Body[] {
  const end = group.findIndex((body, index) => index >= from && !body.isRepeatable);
  return group.slice(from, end === -1 ? undefined : end);
}

/** Rolls back a transaction; its bodies then run again in the next group. */
class GroupUndone extends Error {}

/**
 * Runs the repeatable bodies at the start of a transaction without a savepoint. SQLite keeps the
 * former content of each page that changes in a savepoint, and reads through all of it after most
 * statements, so that a savepoint around a large group would double the time of each statement.
 * @throws GroupUndone if a body failed; each body so far then runs again in a separate savepoint
 */
async function runFirst(tx: Tx, bodies: readonly Body[], run: GroupRun): Promise<Done[]> {
  const started: Body[] = [];
  try {
    return await runAll(tx, bodies, run, started);
  } catch (error) {
    if (!run.connections.isWriting()) throw error;
    await confirmWrites(tx).catch(() => {});
    for (const body of started) body.isRepeatable = false;
    throw new GroupUndone();
  }
}

/**
 * Runs the first body, and as many more as time allows.
 * @param started receives the bodies, also the one that fails
 */
async function runAll(
  tx: Tx,
  bodies: readonly Body[],
  { isTimeOver }: GroupRun,
  started: Body[] = [],
): Promise<Done[]> {
  const done: Done[] = [];
  for (const body of bodies) {
    if (done.length > 0 && isTimeOver()) break;
    started.push(body);
    done.push({ body, notes: await body.run(tx) });
    if (done.length % BODIES_BEHIND === 0) await confirmWrites(tx);
  }
  await confirmWrites(tx);
  return done;
}

/**
 * Runs repeatable bodies in one savepoint, after other bodies of the same transaction.
 * @returns undefined if a body failed; the transaction then contains nothing of these bodies
 */
async function runTogether(
  tx: Tx,
  bodies: readonly Body[],
  run: GroupRun,
): Promise<Done[] | undefined> {
  const { connections } = run;
  await connections.setSavepoint(tx, "set");
  let done: Done[];
  try {
    done = await runAll(tx, bodies, run);
  } catch (error) {
    if (!connections.isWriting()) throw error;
    // Running each body again finds the error again.
    await confirmWrites(tx).catch(() => {});
    await connections.setSavepoint(tx, "undo");
    forgetInGroup(tx);
    return undefined;
  }
  await connections.setSavepoint(tx, "keep");
  return done;
}

/**
 * Runs a body in a separate savepoint.
 * @returns the body's notes; undefined if it failed
 * @throws the body's error if it ended the whole transaction
 */
async function runApart(
  tx: Tx,
  body: Body,
  { connections, health }: GroupRun,
): Promise<readonly object[] | undefined> {
  await connections.setSavepoint(tx, "set");
  try {
    const notes = await runBody(tx, body);
    await connections.setSavepoint(tx, "keep");
    return notes;
  } catch (error) {
    if (!connections.isWriting()) throw error;
    await connections.setSavepoint(tx, "undo");
    forgetInGroup(tx);
    health?.failed(error);
    body.fail(error);
    return undefined;
  }
}

/** A unit of work that waits for the next commit. */
interface Body {
  readonly lock: Lock;
  /** False after the body ran with others of which one failed. */
  isRepeatable: boolean;
  readonly ahead: WorkOptions["ahead"];
  /**
   * Runs the work and stores its outcome.
   * @returns the notes of the work
   * @throws the error of the work
   */
  run(tx: Tx): Promise<readonly object[]>;
  /** Reports the stored outcome to the caller. */
  settle(): void;
  fail(error: unknown): void;
}

interface Group {
  lock: Lock;
  bodies: Body[];
}

/**
 * Commits a group, and reports the outcomes to the callers.
 * @returns whether the group was committed
 */
type WriteGroup = (writer: Writer, group: Group) => Promise<boolean>;
