import { ENVIRONMENTS } from "../../../contract/common.ts";
import { closeNextDay } from "../../../db/figure-sums.ts";
import { enqueueJob } from "../../../jobs/job-store.ts";
import { HOUR, MINUTE } from "../../../lib/clock.ts";
import type { Base } from "../../module.ts";

/** The job that writes the figures of closed days; its subject is the account. */
export const CLOSE_DAYS_JOB = "figures.close";

/** Bounds the open time whose figures are counted from rows to little more than a day. */
const INTERVAL_MS = 6 * HOUR;
/** An imported shop has no figures yet, and a start does not wait for them. */
const FIRST_AFTER_MS = 10 * MINUTE;

/** Writes the figures of each UTC day once nothing can be added to it (rules#figure-sums-kept). */
export class DayClosing {
  readonly #deps: Pick<Base, "accountId" | "db" | "transactor" | "clock">;

  constructor(deps: Pick<Base, "accountId" | "db" | "transactor" | "clock">) {
    this.#deps = deps;
  }

  /** Ensures that a run is due within the interval, also after clock changes. */
  async schedule(): Promise<void> {
    const { accountId, db, transactor, clock } = this.#deps;
    const now = clock.now();
    const due = await db
      .selectFrom("jobs")
      .select("run_at")
      .where("kind", "=", CLOSE_DAYS_JOB)
      .where("subject", "=", accountId)
      .executeTakeFirst();
    if (due && due.run_at <= now + INTERVAL_MS) return;
    const job = { kind: CLOSE_DAYS_JOB, subject: accountId, runAt: now + FIRST_AFTER_MS };
    await transactor.transact(accountId, (tx) => enqueueJob(tx, job));
  }

  async run(accountId: string): Promise<void> {
    const { transactor, clock } = this.#deps;
    for (const environment of ENVIRONMENTS) {
      const scope = { accountId, environment };
      // One transaction a day: sales do not wait for an imported year.
      while (await transactor.transact(accountId, (tx) => closeNextDay(tx, scope)));
    }
    const runAt = clock.now() + INTERVAL_MS;
    const job = { kind: CLOSE_DAYS_JOB, subject: accountId, runAt };
    await transactor.transact(accountId, (tx) => enqueueJob(tx, job));
  }
}
