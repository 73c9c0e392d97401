import type { Transactor } from "../../db/transactor.ts";
import { enqueueJob } from "../../jobs/job-store.ts";
import { accountOfSubject } from "../../jobs/job-subject.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Log } from "../../lib/log.ts";
import { describeStorageFault } from "../../lib/storage-fault.ts";
import { ADVANCE_JOB } from "./purchase-transitions.ts";

interface Deps {
  transactor: Transactor;
  clock: Clock;
  log: Log;
  /** Resolves when the database can be written. */
  whenWritable(): Promise<void>;
}

/**
 * Answers of a provider that could not be written for a fault of the disk: they are asked for as soon
 * as writing works, and not at the deadline of the attempt (rules#purchase-unwritten-answer). Memory is
 * enough here: the next start asks about everything that was sent.
 */
export class LostAnswers {
  readonly #deps: Deps;
  #isStopped = false;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** @param subject names the purchase whose answer is lost */
  async askFor(subject: string): Promise<void> {
    const { transactor, clock, log, whenWritable } = this.#deps;
    for (let isLost = true; isLost; ) {
      await whenWritable();
      if (this.#isStopped) return;
      try {
        const job = { kind: ADVANCE_JOB, subject, runAt: clock.now() };
        await transactor.transact(accountOfSubject(subject), (tx) => enqueueJob(tx, job));
        isLost = false;
      } catch (error) {
        // The disk failed once more. Any other error is left to the deadline.
        isLost = describeStorageFault(error) !== undefined;
        if (!isLost) log.error({ err: error, subject }, "a lost answer could not be asked for");
      }
    }
  }

  stop(): void {
    this.#isStopped = true;
  }
}
