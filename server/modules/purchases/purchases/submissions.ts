import { CLAIMS } from "../../../db/account-lock.ts";
import type { Claimant } from "../../../db/claimant.ts";
import type { Tx } from "../../../db/database.ts";
import {
  abandonClaim,
  type ClaimedRow,
  endClaim,
  extendClaims,
  findClaim,
  findOwnClaims,
} from "../../../db/postgres/claims.ts";
import { enqueueJob } from "../../../jobs/job-store.ts";
import { accountOfSubject } from "../../../jobs/job-subject.ts";
import { type Clock, MINUTE, pause } from "../../../lib/clock.ts";
import type { Log } from "../../../lib/log.ts";
import { describeStorageFault } from "../../../lib/storage-fault.ts";
import { TimeoutError, withTimeout } from "../../../lib/with-timeout.ts";
import type { Provider, ProviderAnswer } from "../../../providers/provider.ts";
import { ProviderLimited } from "../../../providers/provider-call.ts";
import {
  refOf,
  StaleTransition,
  subjectOf,
  type TransactionRef,
} from "../../books/transactions/index.ts";
import type { Base } from "../../module.ts";
import type { Sender } from "./decision.ts";
import { orderOf, type StoredPurchase } from "./purchase-store.ts";
import { ADVANCE_JOB } from "./purchase-writes.ts";
import { SENDING_MS } from "./retry-policy.ts";

interface SubmissionsDeps extends Pick<Base, "transactor" | "clock" | "log"> {
  claims: SendingClaims | undefined;
  /** `isAlone` is the value that was passed to `send`. */
  answered(purchase: StoredPurchase, answer: ProviderAnswer, isAlone: boolean): Promise<void>;
  whenWritable(): Promise<void>;
}

interface Submission {
  purchase: StoredPurchase;
  abort: AbortController;
  done: Promise<void>;
}

/**
 * Sends attempts that are already on disk. Without an answer, the status is queried at the deadline
 * or at the next start. If several processes share the database, each process claims the attempts
 * that it sends.
 *
 * If a disk error prevents the write of an answer, the status is queried as soon as writing works
 * (rules#purchase-unwritten-answer).
 */
export class Submissions {
  readonly #deps: SubmissionsDeps;
  readonly #inFlight = new Map<string, Submission>();
  #isStopped = false;

  constructor(deps: SubmissionsDeps) {
    this.#deps = deps;
  }

  /** @param isAlone whether no earlier attempt can still arrive */
  send(provider: Provider, purchase: StoredPurchase, isAlone: boolean): void {
    const subject = subjectOf(purchase.transaction);
    const abort = new AbortController();
    const done = this.#submit(provider, purchase, { signal: abort.signal, isAlone }).finally(() => {
      if (this.#inFlight.get(subject)?.abort === abort) this.#inFlight.delete(subject);
    });
    this.#inFlight.set(subject, { purchase, abort, done });
    this.#deps.claims?.keep(() => this.#listSent());
  }

  has(purchase: StoredPurchase): boolean {
    return this.#inFlight.has(subjectOf(purchase.transaction));
  }

  abandon(purchase: StoredPurchase): void {
    this.#inFlight.get(subjectOf(purchase.transaction))?.abort.abort();
  }

  get waiting(): number {
    return this.#inFlight.size;
  }

  async idle(): Promise<void> {
    while (this.#inFlight.size > 0) {
      await Promise.all([...this.#inFlight.values()].map(({ done }) => done));
    }
  }

  /** Ends the wait for answers. Another process or the next start queries the status. */
  async stop(): Promise<void> {
    const { claims, log } = this.#deps;
    claims?.stop();
    const cut = [...this.#inFlight.values()];
    for (const { abort } of cut) abort.abort();
    await this.idle();
    this.#isStopped = true;
    if (!claims) return;
    // If this write fails, another process queries the status after the claim expires.
    await Promise.all(
      cut.map(({ purchase: { transaction } }) =>
        this.#handOver(subjectOf(transaction)).catch((error: unknown) => {
          const { transactionId } = transaction;
          log.error({ err: error, transactionId }, "an answer is waited for in vain for a while");
        }),
      ),
    );
  }

  /** Omits attempts past their deadline, because another process may query them. */
  #listSent(): TransactionRef[] {
    const now = this.#deps.clock.now();
    const sent: TransactionRef[] = [];
    for (const { purchase, abort } of this.#inFlight.values()) {
      if ((purchase.nextAttemptAt ?? now) <= now) abort.abort();
      else sent.push(purchase.transaction);
    }
    return sent;
  }

  async #submit(
    provider: Provider,
    purchase: StoredPurchase,
    { signal, isAlone }: { signal: AbortSignal; isAlone: boolean },
  ): Promise<void> {
    const { log, answered, claims } = this.#deps;
    const { transactionId } = purchase.transaction;
    try {
      if (claims && !(await this.#isOwn(purchase, claims))) {
        log.warn({ transactionId }, "an attempt is not sent: its time to be sent is over");
        void this.#askOnceWritable(subjectOf(purchase.transaction));
        return;
      }
      if (signal.aborted) return;
      const answer = await provider.submit(orderOf(purchase), signal);
      if (signal.aborted) return;
      await answered(purchase, answer, isAlone);
    } catch (error) {
      // The outcome is unknown: the job at the deadline queries the status.
      if (error instanceof StaleTransition) {
        log.info({ transactionId }, "an answer came after the purchase had moved on");
      } else if (describeStorageFault(error) !== undefined) {
        log.error({ err: error, transactionId }, "what came of a submission could not be written");
        void this.#askOnceWritable(subjectOf(purchase.transaction));
      } else if (!signal.aborted) {
        log.warn({ err: error, transactionId }, "a provider did not answer a submission");
        await claims?.noteUnanswered(purchase.transaction);
      }
    }
  }

  #isOwn({ transaction }: StoredPurchase, claims: SendingClaims): Promise<boolean> {
    return claims.holds(transaction).catch((error: unknown) => {
      this.#deps.log.error({ err: error }, "a claim could not be read");
      return false;
    });
  }

  async #askOnceWritable(subject: string): Promise<void> {
    const { log, whenWritable } = this.#deps;
    for (let isLost = true; isLost; ) {
      await whenWritable();
      if (this.#isStopped) return;
      try {
        await this.#handOver(subject);
        isLost = false;
      } catch (error) {
        // The disk failed again. After other errors, the job at the deadline queries the status.
        isLost = describeStorageFault(error) !== undefined;
        if (!isLost) log.error({ err: error, subject }, "a lost answer could not be asked for");
      }
    }
  }

  /** Runs the purchase's job now, so that the process that takes the job queries the status. */
  async #handOver(subject: string): Promise<void> {
    const { transactor, clock, claims } = this.#deps;
    const job = { kind: ADVANCE_JOB, subject, runAt: clock.now() };
    await transactor.transact(accountOfSubject(subject), async (tx) => {
      await claims?.abandon(tx, refOf(subject));
      await enqueueJob(tx, job);
    });
  }
}

const INQUIRY_TIMEOUT_MS = MINUTE;

/** Queries a purchase's status. Returns undefined if the provider does not answer. */
export async function inquireAbout(
  { clock, log }: { clock: Clock; log: Log },
  provider: Provider,
  purchase: StoredPurchase,
): Promise<ProviderAnswer | undefined> {
  const { inquiry = "by-key" } = provider;
  if (inquiry === "none") return UNANSWERABLE;
  try {
    const answer = await withTimeout(clock, { timeout_ms: INQUIRY_TIMEOUT_MS }, (signal) =>
      provider.inquire(orderOf(purchase), signal),
    );
    const isUnlisted = answer.kind === "not-received" && inquiry === "by-listing";
    return isUnlisted ? { ...answer, ...UNLISTED } : answer;
  } catch (error) {
    if (error instanceof TimeoutError) return undefined;
    if (error instanceof ProviderLimited) {
      const checkAgainAt = clock.now() + error.retryAfter_ms;
      return { kind: "unreadable", message: "the provider is not asked yet", checkAgainAt };
    }
    const { transactionId } = purchase.transaction;
    log.warn({ err: error, transactionId }, "a provider did not answer an inquiry");
    return undefined;
  }
}

/** The answer for a provider without inquiries: it never permits another submission. */
const UNANSWERABLE: ProviderAnswer = {
  kind: "unreadable",
  message: "the provider answers no inquiries",
};

/** An order that is missing in a list may still be under way: it is never submitted again. */
const UNLISTED = {
  kind: "unreadable",
  message: "the provider's list does not have the order",
} as const;

/** Interval of extensions, a third of the claim's duration because extensions may be late. */
const EXTEND_MS = SENDING_MS / 3;

const TABLE = "purchases";

interface SendingClaimsDeps extends Pick<Base, "db" | "transactor" | "clock" | "log"> {
  claimant: Claimant;
}

/**
 * Claims attempts for the process that sends them if several processes share the database
 * (docs/decisions/0080). A process extends its claim while it waits for the answer. After the claim
 * expires, another process queries the provider.
 */
export class SendingClaims {
  readonly #deps: SendingClaimsDeps;
  #cancelTimer: (() => void) | undefined;
  #isStopped = false;
  /** The next query for claims of this process. */
  #asked: { rows: ClaimedRow[]; found: Promise<ReadonlySet<string>> } | undefined;

  constructor(deps: SendingClaimsDeps) {
    this.#deps = deps;
  }

  /** Finds the sender of an attempt whose answer this process does not await. */
  async find(ref: TransactionRef): Promise<Sender> {
    const claim = await findClaim(this.#deps.db, TABLE, rowOf(ref));
    if (!claim) return { state: "UNANSWERED" };
    const { owner, endsIn_ms } = claim;
    const isElsewhere = owner !== this.#deps.claimant.owner && endsIn_ms > 0;
    return isElsewhere ? { state: "ELSEWHERE", endsIn_ms } : { state: "GONE" };
  }

  /**
   * Returns whether this process still holds its claim. Without the claim, for example after a
   * suspension, it must not send. All requests of a turn of the event loop share a query, which
   * runs after them.
   */
  async holds(ref: TransactionRef): Promise<boolean> {
    this.#asked ??= this.#findTogether();
    const { rows, found } = this.#asked;
    const row = rowOf(ref);
    rows.push(row);
    return (await found).has(keyOf(row));
  }

  #findTogether() {
    const { db, claimant } = this.#deps;
    const rows: ClaimedRow[] = [];
    const found = pause().then(async () => {
      this.#asked = undefined;
      const own = await findOwnClaims(db, TABLE, rows, claimant.owner);
      return new Set(own.map(keyOf));
    });
    return { rows, found };
  }

  /** Extends the claims periodically, until no attempt is in progress. */
  keep(listSent: () => readonly TransactionRef[]): void {
    if (this.#cancelTimer || this.#isStopped) return;
    const { clock, log, transactor, claimant } = this.#deps;
    this.#cancelTimer = clock.wakeAt(clock.now() + EXTEND_MS, () => {
      this.#cancelTimer = undefined;
      const rows = listSent().map(rowOf);
      if (rows.length === 0) return;
      const { owner } = claimant;
      void transactor
        .transact(CLAIMS, (tx) => extendClaims(tx, TABLE, rows, { owner, lease_ms: SENDING_MS }))
        .catch((error: unknown) => log.error({ err: error }, "could not extend claims on attempts"))
        .finally(() => this.keep(listSent));
    });
  }

  /** Ends the claim of an attempt without an answer. The job at the deadline decides. */
  async noteUnanswered(ref: TransactionRef): Promise<void> {
    const { transactor, claimant, log } = this.#deps;
    await transactor
      .transact(CLAIMS, (tx) => endClaim(tx, TABLE, rowOf(ref), claimant.owner))
      .catch((error: unknown) => log.error({ err: error }, "an attempt is asked about early"));
  }

  abandon(tx: Tx, ref: TransactionRef): Promise<void> {
    return abandonClaim(tx, TABLE, rowOf(ref), this.#deps.claimant.owner);
  }

  /** Releases a claim that belongs to an earlier process at this place, or to no process. */
  takeUp(tx: Tx, ref: TransactionRef): Promise<void> {
    return abandonClaim(tx, TABLE, rowOf(ref), this.#deps.claimant.place);
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
  }
}

function rowOf({ accountId, environment, transactionId }: TransactionRef): ClaimedRow {
  return { accountId, environment, id: transactionId };
}

function keyOf({ accountId, environment, id }: ClaimedRow): string {
  return `${accountId} ${environment} ${id}`;
}
