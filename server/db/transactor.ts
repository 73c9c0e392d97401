import { type Clock, pause, systemClock } from "../lib/clock.ts";
import { CLAIMS, type Lock } from "./account-lock.ts";
import { type Connections, getConnections, type Writer } from "./connections.ts";
import type { Db, Tx } from "./database.ts";
import { outsideTransactions, refuseInside, runInTransaction } from "./transaction-scope.ts";
import type { WriteHealth } from "./write-health.ts";

/**
 * Runs work in a transaction, and answers once it is on the disk. A transaction inside a transaction,
 * or the database itself asked inside one, throws at once.
 */
export interface Transactor {
  /**
   * @param lock the account whose rows the work reads and writes: nobody else writes them meanwhile
   * @throws what the work throws, and then nothing of it is stored; or why the disk did not take it
   */
  transact<T>(lock: Lock, work: (tx: Tx) => Promise<T>): Promise<T>;
  /**
   * Called at every commit, once for all the work in it: to which tables something was written (at
   * least; what was rolled back of a group may be among them), and what the work noted.
   */
  onCommit(listener: CommitListener): void;
}

/** @param notes what was noted by `noteInTransaction`, in the order of the work */
export type CommitListener = (written: ReadonlySet<string>, notes: readonly object[]) => void;

interface Options {
  /** Notified of writes that fail. */
  health?: WriteHealth;
  /** Says how long a group has taken. */
  clock?: Pick<Clock, "running">;
  /** Refuses work that waits for anything but the database: it would delay everybody's answer. */
  isStrict?: boolean;
}

/** Piece of work that waits for the next commit. */
interface Body {
  readonly lock: Lock;
  /** Runs the work and keeps its outcome. @returns what it noted. @throws what the work throws */
  run(tx: Tx): Promise<readonly object[]>;
  /** Reports the outcome to the caller. */
  settle(): void;
  fail(error: unknown): void;
}

/** Bodies of one commit, and what it locks. */
interface Group {
  lock: Lock;
  bodies: Body[];
}

/** The most that one commit holds, so that the first in it is answered soon. */
const BODIES_AT_ONCE = 256;
const GROUP_MS = 20;
/** After so many turns in a row that brought nothing a group is begun. */
const QUIET_TURNS = 2;
/** Promises that settle meanwhile: who waits for the connection since before the end is in line by then. */
const TURNS_BEFORE_COMMIT = 4;
/** How often the event loop may turn before a group is begun, however many go on arriving. */
const TURNS_AT_MOST = 32;

/**
 * Commits in groups: bodies that are ready run one after another inside one transaction, each in a
 * savepoint of its own, and all are answered when that is on the disk. There is no timer: what
 * arrives while a group is being written is the next group. Where there are several connections that
 * write, groups of different accounts are written at once; those of one account never are.
 *
 * A body's failure is its own: its savepoint is rolled back, the others go on. What ends the
 * transaction itself (a full disk) fails everybody in it with that reason: nobody was answered yet.
 */
export function createTransactor(db: Db, options: Options = {}): Transactor {
  const { health, clock = systemClock, isStrict = false } = options;
  const connections = getConnections(db);
  const { owner } = connections;
  const apart = { connections, health };
  const listeners: CommitListener[] = [];
  const queue: Body[] = [];
  /** The last one is taken next: where nothing is written at once, always the same. */
  const idle = connections.writers.toReversed();
  /** What the groups have locked that are being written. */
  const locked = new Set<Lock>();
  let isGathering = false;

  /** Once there is a connection that may take something of the queue. */
  function begin(): void {
    if (isGathering || idle.length === 0 || !queue.some(({ lock }) => !locked.has(lock))) return;
    isGathering = true;
    void outsideTransactions(beginGroups);
  }

  async function beginGroups(): Promise<void> {
    await gather(queue);
    isGathering = false;
    for (;;) {
      const writer = idle.pop();
      const group = writer && takeGroup(queue, locked, connections);
      if (group) void write(writer, group);
      else if (writer) idle.push(writer);
      if (!group) return;
    }
  }

  async function write(writer: Writer, group: Group): Promise<void> {
    // Of claims nothing is locked.
    if (group.lock !== CLAIMS) locked.add(group.lock);
    await commitGroup(writer, group);
    locked.delete(group.lock);
    idle.push(writer);
    begin();
  }

  async function commitGroup(
    { db: writer, written }: Writer,
    { lock, bodies: group }: Group,
  ): Promise<void> {
    const done: Body[] = [];
    const notes: object[] = [];
    try {
      await writer.transaction().execute(async (tx) => {
        await connections.prepareTransaction(tx, lock);
        const began = clock.running();
        for (const [index, body] of group.entries()) {
          if (index > 0 && clock.running() - began > GROUP_MS) {
            queue.unshift(...group.splice(index));
            break;
          }
          const noted = group.length === 1 ? await body.run(tx) : await runApart(tx, body, apart);
          if (!noted) continue;
          done.push(body);
          notes.push(...noted);
        }
        await complete(tx, () => connections.completeTransaction(tx, lock, written));
      });
    } catch (error) {
      health?.failed(error);
      for (const body of group) body.fail(error);
      return;
    }
    for (const body of done) body.settle();
    for (const listener of listeners) listener(written, notes);
  }

  function enqueue(body: Body): void {
    queue.push(body);
    begin();
  }

  return {
    async transact<T>(lock: Lock, work: (tx: Tx) => Promise<T>): Promise<T> {
      refuseInside(owner);
      return new Promise((resolve, reject) => {
        let outcome: T;
        enqueue({
          lock,
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
 * Lets the event loop turn until it brings no more work: what was woken by the same events, or asked
 * by a crowd of clients at once, joins one group. Who is alone waits for a few empty turns.
 */
async function gather(queue: readonly Body[]): Promise<void> {
  let quiet = 0;
  for (let turn = 0; turn < TURNS_AT_MOST && quiet < QUIET_TURNS; turn++) {
    const before = queue.length;
    await pause();
    quiet = queue.length > before ? 0 : quiet + 1;
  }
}

/**
 * Takes what is to be committed together: everything where there is one lock for all, and otherwise the first
 * body of what is not locked already with those that wait for the same account, so that nobody waits for the
 * lock of another. Work of no account is alone, so that it holds what it has locked for as short as possible.
 * @returns undefined where everything in the queue has to wait
 */
function takeGroup(
  queue: Body[],
  locked: ReadonlySet<Lock>,
  { isLockedWhole }: Connections,
): Group | undefined {
  const first = queue.findIndex(({ lock }) => !locked.has(lock));
  const lock = queue[first]?.lock;
  if (lock === undefined) return undefined;
  if (isLockedWhole) return { lock, bodies: queue.splice(0, BODIES_AT_ONCE) };
  if (typeof lock !== "string") return { lock, bodies: queue.splice(first, 1) };
  const bodies: Body[] = [];
  for (let index = first; index < queue.length && bodies.length < BODIES_AT_ONCE; ) {
    if (queue[index]?.lock === lock) bodies.push(...queue.splice(index, 1));
    else index += 1;
  }
  return { lock, bodies };
}

/** What a body began and did not wait for has its turn first, and is refused with the remedy. */
async function complete(tx: Tx, end: () => Promise<void> | undefined): Promise<void> {
  for (let turn = 0; turn < TURNS_BEFORE_COMMIT; turn++) await Promise.resolve();
  await tx.getExecutor().provideConnection(async () => {});
  await end();
}

/**
 * Runs a body in a savepoint of its own.
 * @returns what it noted, undefined where it failed. @throws its error when that ended the whole
 *   transaction
 */
async function runApart(
  tx: Tx,
  body: Body,
  { connections, health }: { connections: Connections; health: WriteHealth | undefined },
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
