import { CLAIMS } from "../../../db/account-lock.ts";
import type { Claimant } from "../../../db/claimant.ts";
import type { Db, Tx } from "../../../db/database.ts";
import {
  abandonClaim,
  type ClaimedRow,
  endClaim,
  extendClaims,
  findClaim,
} from "../../../db/postgres/claims.ts";
import type { Transactor } from "../../../db/transactor.ts";
import { type Clock, SECOND } from "../../../lib/clock.ts";
import type { Log } from "../../../lib/log.ts";
import type { TransactionRef } from "../../books/transactions/index.ts";
import type { Sender } from "./decision.ts";

/** How long an attempt is left to a process that has ended. */
export const SENDING_MS = 30 * SECOND;
/** Interval at which a live process extends its claims: two extensions may be late. */
const EXTEND_MS = SENDING_MS / 3;

const TABLE = "purchases";

interface Deps {
  db: Db;
  transactor: Transactor;
  clock: Clock;
  log: Log;
  claimant: Claimant;
}

/**
 * Claims attempts for the process that sends them if several processes share the database
 * (docs/decisions/0080). The claim is written with the attempt and extended while the process waits
 * for the answer. After the claim expires, another process queries the provider.
 */
export class SendingClaims {
  readonly #deps: Deps;
  #cancelTimer: (() => void) | undefined;
  #isStopped = false;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Finds the sender of an attempt that this process does not wait for. */
  async find(ref: TransactionRef): Promise<Sender> {
    const claim = await findClaim(this.#deps.db, TABLE, rowOf(ref));
    if (!claim) return { state: "UNANSWERED" };
    const { owner, endsIn_ms } = claim;
    const isElsewhere = owner !== this.#deps.claimant.owner && endsIn_ms > 0;
    return isElsewhere ? { state: "ELSEWHERE", endsIn_ms } : { state: "GONE" };
  }

  /**
   * Returns whether this process may send the attempt that it has written: it has not been suspended for
   * too long since.
   */
  async holds(ref: TransactionRef): Promise<boolean> {
    const claim = await findClaim(this.#deps.db, TABLE, rowOf(ref));
    return claim?.owner === this.#deps.claimant.owner && claim.endsIn_ms > 0;
  }

  /** Extends the claims on attempts in progress periodically, while there are any. */
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

  /** Stores that an attempt got no answer: its deadline is pending. */
  async noteUnanswered(ref: TransactionRef): Promise<void> {
    const { transactor, claimant, log } = this.#deps;
    await transactor
      .transact(CLAIMS, (tx) => endClaim(tx, TABLE, rowOf(ref), claimant.owner))
      .catch((error: unknown) => log.error({ err: error }, "an attempt is asked about early"));
  }

  /**
   * Releases the claim on an attempt that this process no longer sends: it can be queried at once.
   */
  abandon(tx: Tx, ref: TransactionRef): Promise<void> {
    return abandonClaim(tx, TABLE, rowOf(ref), this.#deps.claimant.owner);
  }

  /**
   * Releases the claims on attempts that an earlier process of this place sent, or that no process
   * sends.
   */
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
