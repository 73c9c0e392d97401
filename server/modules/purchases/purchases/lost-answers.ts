import type { Transactor } from "../../../db/transactor.ts";
import { enqueueJob } from "../../../jobs/job-store.ts";
import { accountOfSubject } from "../../../jobs/job-subject.ts";
import type { Clock } from "../../../lib/clock.ts";
import type { Log } from "../../../lib/log.ts";
import { describeStorageFault } from "../../../lib/storage-fault.ts";
import { refOf } from "../../books/transactions/index.ts";
import { ADVANCE_JOB } from "./purchase-transitions.ts";
import type { SendingClaims } from "./sending-claims.ts";

interface Deps {
  transactor: Transactor;
  clock: Clock;
  log: Log;
  /** Undefined where one process has the database for itself. */
  claims: SendingClaims | undefined;
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
    const { log, whenWritable } = this.#deps;
    for (let isLost = true; isLost; ) {
      await whenWritable();
      if (this.#isStopped) return;
      try {
        await this.#leave(subject);
        isLost = false;
      } catch (error) {
        // The disk failed once more. Any other error is left to the deadline.
        isLost = describeStorageFault(error) !== undefined;
        if (!isLost) log.error({ err: error, subject }, "a lost answer could not be asked for");
      }
    }
  }

  /** Leaves it to another process at the end of this one; where that cannot be written, once the claim is over. */
  async handOver(subject: string): Promise<void> {
    await this.#leave(subject).catch((error: unknown) => {
      this.#deps.log.error({ err: error, subject }, "an answer is waited for in vain for a while");
    });
  }

  async #leave(subject: string): Promise<void> {
    const { transactor, clock, claims } = this.#deps;
    const job = { kind: ADVANCE_JOB, subject, runAt: clock.now() };
    await transactor.transact(accountOfSubject(subject), async (tx) => {
      await claims?.abandon(tx, refOf(subject));
      await enqueueJob(tx, job);
    });
  }

  stop(): void {
    this.#isStopped = true;
  }
}
