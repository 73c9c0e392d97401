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
import { pause, SECOND } from "../../../lib/clock.ts";
import type { TransactionRef } from "../../books/transactions/index.ts";
import type { Base } from "../../module.ts";
import type { Sender } from "./decision.ts";

export const SENDING_MS = 30 * SECOND;
/** Interval of extensions, a third of the claim's duration because extensions may be late. */
const EXTEND_MS = SENDING_MS / 3;

const TABLE = "purchases";

interface Deps extends Pick<Base, "db" | "transactor" | "clock" | "log"> {
  claimant: Claimant;
}

/**
 * Claims attempts for the process that sends them if several processes share the database
 * (docs/decisions/0080). A process extends its claim while it waits for the answer. After the claim
 * expires, another process queries the provider.
 */
export class SendingClaims {
  readonly #deps: Deps;
  #cancelTimer: (() => void) | undefined;
  #isStopped = false;
  /** The next query for claims of this process. */
  #asked: { rows: ClaimedRow[]; found: Promise<ReadonlySet<string>> } | undefined;

  constructor(deps: Deps) {
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
