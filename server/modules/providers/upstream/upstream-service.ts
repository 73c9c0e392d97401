import type { ScopedAuthor } from "../../../contract/pos/actor.ts";
import type { AuditAction } from "../../../contract/pos/audit-trail.ts";
import type { GatewayVerdict } from "../../../contract/pos/upstream.ts";
import type { Scope } from "../../../db/changes.ts";
import type { Db } from "../../../db/database.ts";
import type { Transactor } from "../../../db/transactor.ts";
import { cancelJob, enqueueJob } from "../../../jobs/job-store.ts";
import { encodeScope } from "../../../jobs/job-subject.ts";
import type { Clock } from "../../../lib/clock.ts";
import type { Log } from "../../../lib/log.ts";
import type { Unit } from "../../../lib/money.ts";
import { SealError, type Sealer } from "../../../lib/sealer.ts";
import { listDeviations } from "../../../providers/deviation-store.ts";
import type { Provider } from "../../../providers/provider.ts";
import type { UpstreamConnection } from "../../../providers/upstream/upstream-call.ts";
import {
  type UpstreamFault,
  UpstreamProvider,
} from "../../../providers/upstream/upstream-provider.ts";
import { type AuditDetail, recordAudit, whatChanged } from "../../books/audit-trail/index.ts";
import { getBalances } from "../../books/wallet/index.ts";
import {
  checkConnection,
  checkUnfinished,
  notConnected,
  requireConnected,
  type StoredConnection,
} from "./connection-rules.ts";
import { isTestKey, judgeGateway } from "./gateway-verdict.ts";
import {
  type BalanceComparison,
  compareBalances,
  hookOf,
  noteOf,
  queryBalance,
  requireBalance,
  type UpstreamStatus,
} from "./upstream-status.ts";
import {
  findUpstream,
  noteUpstream,
  type StoredUpstream,
  saveConnection,
} from "./upstream-store.ts";

/** The job that takes in the upstream's catalog; its subject names account and environment. */
export const SYNC_JOB = "upstream.sync";

interface UpstreamServiceDeps {
  db: Db;
  transactor: Transactor;
  clock: Clock;
  log: Log;
  sealer: Sealer;
}

/**
 * The gateway that the live environment sells through: any that speaks `/v1`. The test environment
 * has its simulator. Read from the database each time, so that a running gateway follows what the
 * command line changed.
 */
export class UpstreamService {
  readonly #deps: UpstreamServiceDeps;

  constructor(deps: UpstreamServiceDeps) {
    this.#deps = deps;
  }

  /** The upstream as a provider; undefined where none is connected, or its key cannot be read. */
  async findProvider(scope: Scope): Promise<Provider | undefined> {
    const { clock, log } = this.#deps;
    try {
      const connection = await this.findConnection(scope);
      if (!connection) return undefined;
      const report = (fault: UpstreamFault) => this.#report(scope, fault);
      return new UpstreamProvider({ clock, connection, report });
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
      const connection = await this.findConnection(scope);
      return connection !== undefined && isTestKey(connection.key);
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
    input: UpstreamConnection & { approvesCatalog?: boolean },
  ): Promise<BalanceComparison> {
    const { transactor, clock, sealer } = this.#deps;
    const connection = checkConnection(author, input);
    await checkUnfinished(this.#deps.db, author, connection.baseUrl);
    const answered = await queryBalance(this.#deps, author, connection);
    const available = requireBalance(answered);
    const keySealed = sealer.seal(connection.key);
    const at = clock.now();
    await transactor.transact(author.accountId, async (tx) => {
      const { baseUrl, allowPrivate } = connection;
      // Something may have been sold and sent while the other was asked.
      await checkUnfinished(tx, author, baseUrl);
      const stored = await findUpstream(tx, author);
      const was = stored && { baseUrl: stored.baseUrl, allowPrivate: stored.allowPrivate };
      const isSame = stored?.baseUrl === baseUrl && this.#isKey(stored, connection.key);
      const approvesCatalog = input.approvesCatalog ?? stored?.approvesCatalog ?? false;
      const fresh = { baseUrl, allowPrivate, approvesCatalog, keySealed, isSame, at };
      await saveConnection(tx, author, fresh);
      await noteUpstream(tx, author, noteOf(answered, at), at);
      await enqueueJob(tx, { kind: SYNC_JOB, subject: encodeScope(author), runAt: at });
      const changed = whatChanged(was ?? {}, { baseUrl, allowPrivate });
      await this.#audit(tx, author, "upstream.connect", { baseUrl, ...changed });
    });
    return compareBalances(this.#deps.db, author, { available, at });
  }

  /** Sells nothing more through it. What is under way is finished when it is connected again. */
  async disconnect(author: ScopedAuthor): Promise<void> {
    const { transactor, clock } = this.#deps;
    const gone = { key_sealed: null, hook_token_hash: null, hook_secret_sealed: null };
    await transactor.transact(author.accountId, async (tx) => {
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
    const { answered, at } = await this.#queryBalance(scope, connection);
    return compareBalances(this.#deps.db, scope, { available: requireBalance(answered), at });
  }

  /**
   * Queries the balance and stores it where it can be read.
   * @returns the unit of the wallet, and the deviations of the answer
   * @throws Problem SYSTEM_UNAVAILABLE where another is connected by now, and those of `connect`
   */
  async noteBalance(
    scope: Scope,
    connection: StoredConnection,
  ): Promise<{ wallet: Unit; noted: string[] }> {
    const { answered } = await this.#queryBalance(scope, connection);
    const { currency, currencyDivisor } = await getBalances(this.#deps.db, scope);
    return { wallet: { currency, currencyDivisor }, noted: answered.noted };
  }

  async #queryBalance(scope: Scope, connection: StoredConnection) {
    const { transactor, clock } = this.#deps;
    const answered = await queryBalance(this.#deps, scope, connection);
    const at = clock.now();
    await transactor.transact(scope.accountId, async (tx) => {
      await requireConnected(tx, scope, connection);
      await noteUpstream(tx, scope, noteOf(answered, at), at);
    });
    return { answered, at };
  }

  /** Whether a catalog that differs waits for an owner. @throws Problem NOT_FOUND */
  async change(author: ScopedAuthor, approvesCatalog: boolean): Promise<void> {
    const { transactor, clock } = this.#deps;
    await transactor.transact(author.accountId, async (tx) => {
      const stored = await findUpstream(tx, author);
      if (stored?.keySealed === undefined) throw notConnected();
      if (stored.approvesCatalog === approvesCatalog) return;
      const at = clock.now();
      await noteUpstream(tx, author, { approves_catalog: approvesCatalog ? 1 : 0 }, at);
      const { accountId, staffId, environment: subject } = author;
      const entry = { accountId, staffId, action: "settings.change" as const, subject, at };
      await recordAudit(tx, { ...entry, detail: { approvesCatalog } });
    });
  }

  /**
   * Whether a shop could sell through a gateway, test by test; nothing is stored.
   * @param typed without it, the one that is connected
   * @throws Problem INVALID_REQUEST naming the field at fault, NOT_FOUND when none is connected
   */
  async judge(scope: Scope, typed: UpstreamConnection | undefined): Promise<GatewayVerdict> {
    const connection = typed ? checkConnection(scope, typed) : await this.findConnection(scope);
    if (!connection) throw notConnected();
    const { currency } = await getBalances(this.#deps.db, scope);
    return judgeGateway(connection, currency, this.#deps.clock);
  }

  /** What is known, without asking anybody. */
  async getStatus(scope: Scope): Promise<UpstreamStatus> {
    const stored = await findUpstream(this.#deps.db, scope);
    return {
      connected: stored?.keySealed !== undefined,
      stored,
      hook: hookOf(this.#deps.sealer, stored),
      balance: stored?.balance && (await compareBalances(this.#deps.db, scope, stored.balance)),
      deviations: await listDeviations(this.#deps.db, scope),
    };
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

  /** Keeps the last of what an owner has to see to. */
  async #report(scope: Scope, { kind, message }: UpstreamFault): Promise<void> {
    const { transactor, clock, log } = this.#deps;
    log.warn({ kind }, message);
    const at = clock.now();
    const note = { fault_kind: kind, fault_message: message, fault_at: at };
    await transactor.transact(scope.accountId, (tx) => noteUpstream(tx, scope, note, at));
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
