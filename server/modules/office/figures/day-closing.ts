import { ENVIRONMENTS } from "../../../contract/common.ts";
import { closeNextDay } from "../../../db/figure-sums.ts";
import { enqueueJob } from "../../../jobs/job-store.ts";
import { HOUR, MINUTE } from "../../../lib/clock.ts";
import type { Base } from "../../module.ts";

export const CLOSE_DAYS_JOB = "figures.close";

/** Interval between runs. Figures of a day that is not closed yet are summed from rows. */
const INTERVAL_MS = 6 * HOUR;
/** Delay of the first run, which closes many days in an imported shop. */
const FIRST_AFTER_MS = 10 * MINUTE;

/** Writes the figures of each UTC day after its last possible change (rules#figure-sums-kept). */
export class DayClosing {
  readonly #deps: Pick<Base, "accountId" | "db" | "transactor" | "clock">;

  constructor(deps: Pick<Base, "accountId" | "db" | "transactor" | "clock">) {
    this.#deps = deps;
  }

  /** Ensures that a run is due within the interval, even after a clock change. */
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
      // A transaction per day, so that sales do not wait for an imported year.
      while (await transactor.transact(accountId, (tx) => closeNextDay(tx, scope)));
    }
    const runAt = clock.now() + INTERVAL_MS;
    const job = { kind: CLOSE_DAYS_JOB, subject: accountId, runAt };
    await transactor.transact(accountId, (tx) => enqueueJob(tx, job));
  }
}
