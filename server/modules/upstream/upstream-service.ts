import type { ScopedAuthor } from "../../contract/pos/actor.ts";
import type { AuditAction } from "../../contract/pos/audit-trail.ts";
import { Problem } from "../../contract/problem.ts";
import type { Scope } from "../../db/changes.ts";
import type { Db } from "../../db/database.ts";
import type { Transactor } from "../../db/transactor.ts";
import { cancelJob, enqueueJob } from "../../jobs/job-store.ts";
import { encodeScope } from "../../jobs/job-subject.ts";
import { type Clock, SECOND } from "../../lib/clock.ts";
import type { Log } from "../../lib/log.ts";
import { SealError, type Sealer } from "../../lib/sealer.ts";
import type { Supplier } from "../../suppliers/supplier.ts";
import { callUpstream, type UpstreamConnection } from "../../suppliers/upstream/upstream-call.ts";
import { UpstreamBalance } from "../../suppliers/upstream/upstream-records.ts";
import {
  type UpstreamFault,
  UpstreamSupplier,
} from "../../suppliers/upstream/upstream-supplier.ts";
import { type AuditDetail, recordAudit, whatChanged } from "../audit-trail/index.ts";
import { type Balances, getBalances } from "../wallet/index.ts";
import {
  checkConnection,
  checkUnfinished,
  notConnected,
  requireConnected,
  type StoredConnection,
  toProblem,
} from "./connection-rules.ts";
import {
  findUpstream,
  noteUpstream,
  type StoredUpstream,
  saveConnection,
} from "./upstream-store.ts";

/** The job that takes in the upstream's catalog; its subject names account and environment. */
export const SYNC_JOB = "upstream.sync";

const TEST_TIMEOUT_MS = 20 * SECOND;
const TEST_KEY_PREFIX = "test_";

interface Deps {
  db: Db;
  transactor: Transactor;
  clock: Clock;
  log: Log;
  sealer: Sealer;
}

/** An upstream's wallet beside ours; minor units of one currency. */
export interface BalanceComparison extends Balances {
  upstream: number;
  at: number;
  /** What the upstream has more than ours has, with what is held here. */
  difference: number;
}

export interface UpstreamStatus {
  connected: boolean;
  stored: StoredUpstream | undefined;
  balance: BalanceComparison | undefined;
}

/**
 * The gateway that the live environment sells through: any that speaks `/v1`. The test environment
 * has its simulator. Read from the database each time, so that a running gateway follows what the
 * command line changed.
 */
export class UpstreamService {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** The upstream as a provider; undefined where none is connected, or its key cannot be read. */
  async findSupplier(scope: Scope): Promise<Supplier | undefined> {
    const { clock, log } = this.#deps;
    try {
      const connection = await this.findConnection(scope);
      if (!connection) return undefined;
      const report = (fault: UpstreamFault) => this.#report(scope, fault);
      return new UpstreamSupplier({ clock, connection, report });
    } catch (error) {
      if (!(error instanceof SealError)) throw error;
      log.error({ err: error }, "the upstream's key cannot be read");
      await this.#report(scope, { kind: "KEY_REFUSED", message: error.message });
      return undefined;
    }
  }

  /** @throws SealError when the key cannot be read */
  async findConnection(scope: Scope): Promise<StoredConnection | undefined> {
    const stored = await findUpstream(this.#deps.db, scope);
    if (stored?.keySealed === undefined) return undefined;
    const { baseUrl, allowPrivate, keySealed } = stored;
    return { baseUrl, allowPrivate, keySealed, key: this.#deps.sealer.open(keySealed) };
  }

  /** Whether the key is one that names itself a test environment's; one that cannot be read is not. */
  async hasTestKey(scope: Scope): Promise<boolean> {
    try {
      return (await this.findConnection(scope))?.key.startsWith(TEST_KEY_PREFIX) ?? false;
    } catch (error) {
      if (error instanceof SealError) return false;
      throw error;
    }
  }

  /**
   * Asks the upstream for its balance and, if it answers in the wallet's currency, sells through it
   * from now on. The catalog follows by itself.
   * @throws Problem INVALID_REQUEST naming the field at fault, SYSTEM_UNAVAILABLE
   */
  async connect(
    author: ScopedAuthor,
    input: { baseUrl: string; key: string; allowPrivate: boolean },
  ): Promise<BalanceComparison> {
    const { transactor, clock, sealer } = this.#deps;
    const connection = checkConnection(author, input);
    await checkUnfinished(this.#deps.db, author, connection.baseUrl);
    const upstream = await this.#queryBalance(author, connection);
    const keySealed = sealer.seal(connection.key);
    const at = clock.now();
    await transactor.transact(async (tx) => {
      const { baseUrl, allowPrivate } = connection;
      // Something may have been sold and sent while the other was asked.
      await checkUnfinished(tx, author, baseUrl);
      const stored = await findUpstream(tx, author);
      const was = stored && { baseUrl: stored.baseUrl, allowPrivate: stored.allowPrivate };
      const isSame = stored?.baseUrl === baseUrl && this.#isKey(stored, connection.key);
      await saveConnection(tx, author, { baseUrl, allowPrivate, keySealed, isSame, at });
      await noteUpstream(tx, author, { balance: upstream, balance_at: at }, at);
      await enqueueJob(tx, { kind: SYNC_JOB, subject: encodeScope(author), runAt: at });
      const changed = whatChanged(was ?? {}, { baseUrl, allowPrivate });
      await this.#audit(tx, author, "upstream.connect", { baseUrl, ...changed });
    });
    return this.#compare(author, { available: upstream, at });
  }

  /** Sells nothing more through it. What is under way is finished when it is connected again. */
  async disconnect(author: ScopedAuthor): Promise<void> {
    const { transactor, clock } = this.#deps;
    const gone = { key_sealed: null, hook_token_hash: null, hook_secret_sealed: null };
    await transactor.transact(async (tx) => {
      const stored = await findUpstream(tx, author);
      if (stored?.keySealed === undefined) throw notConnected();
      await noteUpstream(tx, author, gone, clock.now());
      await cancelJob(tx, SYNC_JOB, encodeScope(author));
      await this.#audit(tx, author, "upstream.disconnect", { baseUrl: stored.baseUrl });
    });
  }

  /**
   * Asks the connected upstream for its balance and compares it with our wallet.
   * @throws Problem NOT_FOUND when none is connected, and those of `connect`
   */
  async test(scope: Scope): Promise<BalanceComparison> {
    const connection = await this.findConnection(scope);
    if (!connection) throw notConnected();
    return this.compareBalance(scope, connection);
  }

  /** @throws Problem SYSTEM_UNAVAILABLE where another is connected by now, and those of `connect` */
  async compareBalance(scope: Scope, connection: StoredConnection): Promise<BalanceComparison> {
    const { transactor, clock } = this.#deps;
    const available = await this.#queryBalance(scope, connection);
    const at = clock.now();
    await transactor.transact(async (tx) => {
      await requireConnected(tx, scope, connection);
      await noteUpstream(tx, scope, { balance: available, balance_at: at }, at);
    });
    return this.#compare(scope, { available, at });
  }

  /** What is known, without asking anybody. */
  async getStatus(scope: Scope): Promise<UpstreamStatus> {
    const stored = await findUpstream(this.#deps.db, scope);
    return {
      connected: stored?.keySealed !== undefined,
      stored,
      balance: stored?.balance && (await this.#compare(scope, stored.balance)),
    };
  }

  async #compare(
    scope: Scope,
    { available, at }: { available: number; at: number },
  ): Promise<BalanceComparison> {
    const ours = await getBalances(this.#deps.db, scope);
    return { ...ours, upstream: available, at, difference: available - ours.available - ours.held };
  }

  /** Whether a key is the one that is stored; one that cannot be read is another. */
  #isKey({ keySealed }: StoredUpstream, key: string): boolean {
    try {
      return keySealed !== undefined && this.#deps.sealer.open(keySealed) === key;
    } catch (error) {
      if (error instanceof SealError) return false;
      throw error;
    }
  }

  /** What can be spent there, minor units of the wallet's currency. */
  async #queryBalance(scope: Scope, connection: UpstreamConnection): Promise<number> {
    const { db, clock } = this.#deps;
    const request = { method: "GET", path: "/balance", timeout_ms: TEST_TIMEOUT_MS } as const;
    const there = await callUpstream(connection, UpstreamBalance, request, clock).catch(
      (error: unknown) => {
        throw toProblem(connection.baseUrl, error);
      },
    );
    const { currency } = await getBalances(db, scope);
    if (there.currency === currency) return there.availableBalance;
    throw new Problem(
      "INVALID_REQUEST",
      `Its wallet is kept in ${there.currency}, yours in ${currency}.`,
      { baseUrl: `must be a gateway whose wallet is kept in ${currency}` },
    );
  }

  /** Keeps the last of what an owner has to see to. */
  async #report(scope: Scope, { kind, message }: UpstreamFault): Promise<void> {
    const { transactor, clock, log } = this.#deps;
    log.warn({ kind }, message);
    const at = clock.now();
    const note = { fault_kind: kind, fault_message: message, fault_at: at };
    await transactor.transact((tx) => noteUpstream(tx, scope, note, at));
  }

  #audit(
    tx: Parameters<typeof recordAudit>[0],
    { accountId, environment, staffId }: ScopedAuthor,
    action: AuditAction,
    detail: AuditDetail,
  ): Promise<void> {
    const at = this.#deps.clock.now();
    return recordAudit(tx, { accountId, staffId, action, subject: environment, detail, at });
  }
}
