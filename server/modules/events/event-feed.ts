import type { EventName } from "../../contract/pos/sales.ts";
import { type Change, latestChangeId, listChanges, type Scope } from "../../db/changes.ts";
import type { Db, Transactor } from "../../db/database.ts";
import { type Clock, SECOND } from "../../lib/clock.ts";
import type { Reader, SaleService } from "../sales/index.ts";
import type { WalletService } from "../wallet/index.ts";

export interface PosEvent {
  id: string;
  event: EventName;
  data: unknown;
}

/** Whoever follows what happens, and where they sell: training begins and ends within a session. */
interface Follower extends Reader {
  training: boolean;
}

interface Parts {
  db: Db;
  transactor: Transactor;
  clock: Clock;
  sales: SaleService;
  wallet: WalletService;
}

const CHANGES_PER_LOOK = 200;
/** What a till is told to look at again. */
const SHOP_TOPICS: Change["topic"][] = ["shop", "catalog", "provider"];
/** The command line writes from another process, of which no commit of ours tells. */
const LOOK_INTERVAL_MS = SECOND;

/**
 * What a till is told as it happens. Events are read from the changes that were committed, in
 * their order, so a till that was away resumes after the last event it saw.
 */
export class EventFeed {
  readonly #parts: Parts;
  readonly #waiting = new Set<() => void>();
  /** How often this was woken, so that what is committed while it looks is not slept through. */
  #wakes = 0;
  #stopped = false;

  constructor(parts: Parts) {
    this.#parts = parts;
    parts.transactor.onCommit(() => this.#wake());
  }

  /** Ends every follower. */
  stop(): void {
    this.#stopped = true;
    this.#wake();
  }

  /**
   * Events of where somebody sells, as they may see them by then, from after `lastEventId` on, or
   * from now on, until `signal` aborts or nobody is signed in any more; that one is told. One that
   * sells elsewhere by now is let go, to ask anew.
   */
  async *follow(follower: {
    lastEventId: string | undefined;
    signal: AbortSignal;
    /** Who follows, with the rights of this moment. */
    findReader(): Promise<Follower | undefined>;
  }): AsyncGenerator<PosEvent> {
    const { db } = this.#parts;
    const resumeAt = /^\d{1,15}$/.exec(follower.lastEventId ?? "")?.[0];
    const latest = await latestChangeId(db);
    // An id from the future is of before a backup was restored.
    let cursor = Math.min(Number(resumeAt ?? latest), latest);
    const first = await follower.findReader();
    if (first) yield { id: String(cursor), event: "wallet", data: await this.#viewWallet(first) };
    while (!this.#stopped && !follower.signal.aborted) {
      const wakes = this.#wakes;
      const reader = await follower.findReader();
      if (!first || !reader) {
        yield { id: String(cursor), event: "signed-out", data: {} };
        return;
      }
      if (!isWhereItWas(reader, first)) return;
      const changes = await listChanges(db, reader.accountId, cursor, CHANGES_PER_LOOK);
      cursor = changes.at(-1)?.changeId ?? cursor;
      const ours = changes.filter((change) => change.environment === reader.environment);
      yield* await this.#toEvents(reader, ours, String(cursor));
      if (changes.length < CHANGES_PER_LOOK) await this.#nextCommit(follower.signal, wakes);
    }
  }

  /** One event a subject: what it is now counts, not how it came there. */
  async #toEvents(reader: Reader, changes: Change[], id: string): Promise<PosEvent[]> {
    const { sales } = this.#parts;
    const events: PosEvent[] = [];
    const touched = new Set(changes.filter((c) => c.topic === "purchase").map((c) => c.subject));
    for (const transactionId of touched) {
      const sale = await sales.findByTransaction(reader, transactionId);
      if (sale) events.push({ id, event: "sale", data: sale });
    }
    if (changes.some((change) => change.topic === "wallet")) {
      events.push({ id, event: "wallet", data: await this.#viewWallet(reader) });
    }
    if (changes.some(({ topic }) => SHOP_TOPICS.includes(topic))) {
      events.push({ id, event: "shop", data: {} });
    }
    return events;
  }

  async #viewWallet(scope: Scope) {
    return { environment: scope.environment, ...(await this.#parts.wallet.getBalances(scope)) };
  }

  /** @param wakes as many as there had been when the look began that found nothing more */
  #nextCommit(signal: AbortSignal, wakes: number): Promise<void> {
    const { clock } = this.#parts;
    return new Promise((resolve) => {
      const finish = () => {
        cancel();
        this.#waiting.delete(finish);
        signal.removeEventListener("abort", finish);
        resolve();
      };
      const cancel = clock.wakeAt(clock.now() + LOOK_INTERVAL_MS, finish);
      this.#waiting.add(finish);
      signal.addEventListener("abort", finish, { once: true });
      if (signal.aborted || this.#stopped || this.#wakes !== wakes) finish();
    });
  }

  #wake(): void {
    this.#wakes += 1;
    for (const finish of this.#waiting) finish();
  }
}

function isWhereItWas(now: Follower, before: Follower): boolean {
  return now.environment === before.environment && now.training === before.training;
}
