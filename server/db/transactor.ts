import { CompiledQuery } from "kysely";
import { type Clock, pause, systemClock } from "../lib/clock.ts";
import { type Db, getConnections, type Tx } from "./database.ts";
import { outsideTransactions, refuseInside, runInTransaction } from "./transaction-scope.ts";
import type { WriteHealth } from "./write-health.ts";

/**
 * Runs work in a transaction, and answers once it is on the disk. A transaction inside a transaction,
 * or the database itself asked inside one, throws at once.
 */
export interface Transactor {
  /**
   * @throws what the work throws, and then nothing of it is stored; or why the disk did not take it
   */
  transact<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /**
   * Called at every commit, once for all the work in it, and to which tables something was written
   * (at least; what was rolled back of a group may be among them).
   */
  onCommit(listener: CommitListener): void;
}

export type CommitListener = (written: ReadonlySet<string>) => void;

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
  /** Runs the work and keeps its outcome. @throws what the work throws */
  run(tx: Tx): Promise<void>;
  /** Reports the outcome to the caller. */
  settle(): void;
  fail(error: unknown): void;
}

/** The most that one commit holds, so that the first in it is answered soon. */
const BODIES_AT_ONCE = 256;
const GROUP_MS = 20;

/**
 * Commits in groups: bodies that are ready run one after another inside one transaction, each in a
 * savepoint of its own, and all are answered when that is on the disk. There is no timer: what
 * arrives while a group is being written is the next group.
 *
 * A body's failure is its own: its savepoint is rolled back, the others go on. What ends the
 * transaction itself (a full disk) fails everybody in it with that reason: nobody was answered yet.
 */
export function createTransactor(db: Db, options: Options = {}): Transactor {
  const { health, clock = systemClock, isStrict = false } = options;
  const { writer, owner, isWriting, written } = getConnections(db);
  const listeners: CommitListener[] = [];
  const queue: Body[] = [];
  let isRunning = false;

  async function runAll(): Promise<void> {
    // One turn of the event loop: work that was woken by the same events joins one group.
    await pause();
    while (queue.length > 0) await commitGroup(queue.splice(0, BODIES_AT_ONCE));
    isRunning = false;
  }

  async function commitGroup(group: Body[]): Promise<void> {
    const done: Body[] = [];
    try {
      await writer.transaction().execute(async (tx) => {
        const began = clock.running();
        for (const [index, body] of group.entries()) {
          if (index > 0 && clock.running() - began > GROUP_MS) {
            queue.unshift(...group.splice(index));
            break;
          }
          if (group.length === 1) {
            await body.run(tx);
            done.push(body);
          } else if (await ranAlone(tx, body)) {
            done.push(body);
          }
        }
      });
    } catch (error) {
      health?.failed(error);
      for (const body of group) body.fail(error);
      return;
    }
    for (const body of done) body.settle();
    for (const listener of listeners) listener(written);
  }

  /** @returns whether it succeeded. @throws its error when that ended the whole transaction */
  async function ranAlone(tx: Tx, body: Body): Promise<boolean> {
    await tx.executeQuery(CompiledQuery.raw("savepoint body"));
    try {
      await body.run(tx);
      await tx.executeQuery(CompiledQuery.raw("release body"));
      return true;
    } catch (error) {
      if (!isWriting()) throw error;
      await tx.executeQuery(CompiledQuery.raw("rollback to body"));
      await tx.executeQuery(CompiledQuery.raw("release body"));
      health?.failed(error);
      body.fail(error);
      return false;
    }
  }

  function enqueue(body: Body): void {
    queue.push(body);
    if (isRunning) return;
    isRunning = true;
    void outsideTransactions(runAll);
  }

  return {
    async transact(work) {
      refuseInside(owner);
      return new Promise((resolve, reject) => {
        let outcome: Awaited<ReturnType<typeof work>>;
        enqueue({
          async run(tx) {
            outcome = await runInTransaction(owner, () => work(tx), isStrict);
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
