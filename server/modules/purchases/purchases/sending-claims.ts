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

/** How long an attempt is left to a process that is gone. */
export const SENDING_MS = 30 * SECOND;
/** How often one that lives says so of what it sends: two of these may be late. */
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
 * Which process sends an attempt, where several have the database (docs/decisions/0080). The claim is written with the
 * attempt and extended for as long as its answer is waited for; once it is over, another process asks the provider.
 */
export class SendingClaims {
  readonly #deps: Deps;
  #cancelTimer: (() => void) | undefined;
  #isStopped = false;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Asked about what this process does not wait for. */
  async find(ref: TransactionRef): Promise<Sender> {
    const claim = await findClaim(this.#deps.db, TABLE, rowOf(ref));
    if (!claim) return { state: "UNANSWERED" };
    const { owner, endsIn_ms } = claim;
    const isElsewhere = owner !== this.#deps.claimant.owner && endsIn_ms > 0;
    return isElsewhere ? { state: "ELSEWHERE", endsIn_ms } : { state: "GONE" };
  }

  /** Whether this process may send what it has written down: it did not stand still for too long since. */
  async holds(ref: TransactionRef): Promise<boolean> {
    const claim = await findClaim(this.#deps.db, TABLE, rowOf(ref));
    return claim?.owner === this.#deps.claimant.owner && claim.endsIn_ms > 0;
  }

  /** Extends the claims on what is being sent from time to time, for as long as there is anything. */
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

  /** An attempt got no answer: its deadline is waited for. */
  async noteUnanswered(ref: TransactionRef): Promise<void> {
    const { transactor, claimant, log } = this.#deps;
    await transactor
      .transact(CLAIMS, (tx) => endClaim(tx, TABLE, rowOf(ref), claimant.owner))
      .catch((error: unknown) => log.error({ err: error }, "an attempt is asked about early"));
  }

  /** This process no longer sends it: it can be asked about at once. */
  abandon(tx: Tx, ref: TransactionRef): Promise<void> {
    return abandonClaim(tx, TABLE, rowOf(ref), this.#deps.claimant.owner);
  }

  /** The same of what an earlier process of this place has sent, or nobody sends. */
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
