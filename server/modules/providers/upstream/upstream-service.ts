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
import { createKinds } from "../../../providers/kinds.ts";
import type { Provider, ProviderFault } from "../../../providers/provider.ts";
import { type AuditDetail, recordAudit, whatChanged } from "../../books/audit-trail/index.ts";
import { getBalances } from "../../books/wallet/index.ts";
import {
  checkConnection,
  checkUnfinished,
  joinCredentials,
  notConnected,
  requireConnected,
  type StoredConnection,
  splitCredentials,
  type TypedConnection,
} from "./connection-rules.ts";
import { judgeGateway } from "./gateway-verdict.ts";
import {
  type BalanceComparison,
  compareBalances,
  getHookState,
  queryBalance,
  requireBalance,
  toBalanceNote,
  type UpstreamStatus,
} from "./upstream-status.ts";
import {
  findUpstream,
  noteUpstream,
  type StoredUpstream,
  saveConnection,
} from "./upstream-store.ts";

export const SYNC_JOB = "upstream.sync";

interface UpstreamServiceDeps {
  db: Db;
  transactor: Transactor;
  clock: Clock;
  log: Log;
  sealer: Sealer;
}

/**
 * Manages the provider of the live environment, which is any gateway with `/v1`; the test
 * environment uses the simulator. The connection is read from the database each time, because the
 * command line may change it.
 */
export class UpstreamService {
  readonly #deps: UpstreamServiceDeps;
  readonly #kinds: ReturnType<typeof createKinds>;

  constructor(deps: UpstreamServiceDeps) {
    this.#deps = deps;
    this.#kinds = createKinds(deps.clock);
  }

  /** Returns undefined without a connection, or if the key cannot be decrypted. */
  async findProvider(scope: Scope): Promise<Provider | undefined> {
    const { log } = this.#deps;
    try {
      const connection = await this.findConnection(scope);
      if (!connection) return undefined;
      return connection.kind.open(connection, (fault) => this.#report(scope, fault));
    } catch (error) {
      if (!(error instanceof SealError)) throw error;
      log.error({ err: error }, "the provider's key cannot be read");
      await this.#report(scope, { kind: "KEY_REFUSED", message: error.message });
      return undefined;
    }
  }

  /** @throws SealError if the key cannot be decrypted */
  async findConnection(scope: Scope): Promise<StoredConnection | undefined> {
    const stored = await findUpstream(this.#deps.db, scope);
    if (stored?.keySealed === undefined) return undefined;
    const { baseUrl, allowPrivate, keySealed } = stored;
    const credentials = splitCredentials(this.#deps.sealer.open(keySealed), stored.kind);
    return { kind: this.#kinds[stored.kind], baseUrl, allowPrivate, keySealed, ...credentials };
  }

  /** Returns whether the key is a test key; false if the key cannot be decrypted. */
  async hasTestKey(scope: Scope): Promise<boolean> {
    try {
      const connection = await this.findConnection(scope);
      return connection?.kind.isTest(connection) ?? false;
    } catch (error) {
      if (error instanceof SealError) return false;
      throw error;
    }
  }

  /**
   * Connects a provider, whose currency must be the wallet's. A job then syncs the catalog.
   * @throws Problem INVALID_REQUEST naming the invalid field, SYSTEM_UNAVAILABLE
   */
  async connect(
    author: ScopedAuthor,
    input: TypedConnection & { approvesCatalog?: boolean },
  ): Promise<BalanceComparison> {
    const { transactor, clock, sealer } = this.#deps;
    const connection = checkConnection(author, this.#kinds, input);
    const { kind } = connection;
    await checkUnfinished(this.#deps.db, author, connection);
    const asked = { ...connection, kind: this.#kinds[kind] };
    const answered = await queryBalance(this.#deps.db, author, asked);
    const available = requireBalance(answered);
    const credentials = joinCredentials(connection);
    const keySealed = sealer.seal(credentials);
    const at = clock.now();
    await transactor.transact(author.accountId, async (tx) => {
      const { baseUrl, allowPrivate } = connection;
      // A purchase may have been sent to the previous provider during the query.
      await checkUnfinished(tx, author, connection);
      const stored = await findUpstream(tx, author);
      const was = stored && { baseUrl: stored.baseUrl, allowPrivate: stored.allowPrivate };
      const isProvider = stored?.baseUrl === baseUrl && stored.kind === kind;
      const isSame = isProvider && this.#isKey(stored, credentials);
      const approvesCatalog = input.approvesCatalog ?? stored?.approvesCatalog ?? false;
      const fresh = { kind, baseUrl, allowPrivate, approvesCatalog, keySealed, isSame, at };
      await saveConnection(tx, author, fresh);
      await noteUpstream(tx, author, toBalanceNote(answered, at), at);
      await enqueueJob(tx, { kind: SYNC_JOB, subject: encodeScope(author), runAt: at });
      const changed = whatChanged(was ?? {}, { baseUrl, allowPrivate });
      await this.#recordAudit(tx, author, "upstream.connect", { baseUrl, ...changed });
    });
    return compareBalances(this.#deps.db, author, { available, at });
  }

  /** Disconnects the provider. Unfinished purchases are resumed after a reconnection. */
  async disconnect(author: ScopedAuthor): Promise<void> {
    const { transactor, clock } = this.#deps;
    const gone = { key_sealed: null, hook_token_hash: null, hook_secret_sealed: null };
    await transactor.transact(author.accountId, async (tx) => {
      const stored = await findUpstream(tx, author);
      if (stored?.keySealed === undefined) throw notConnected();
      await noteUpstream(tx, author, gone, clock.now());
      await cancelJob(tx, SYNC_JOB, encodeScope(author));
      await this.#recordAudit(tx, author, "upstream.disconnect", { baseUrl: stored.baseUrl });
    });
  }

  /**
   * Compares the connected provider's balance with the wallet.
   * @throws Problem NOT_FOUND without a connection, and the problems of `connect`
   */
  async test(scope: Scope): Promise<BalanceComparison> {
    const connection = await this.findConnection(scope);
    if (!connection) throw notConnected();
    const { answered, at } = await this.#queryBalance(scope, connection);
    return compareBalances(this.#deps.db, scope, { available: requireBalance(answered), at });
  }

  /**
   * Queries the balance, and stores it if it is readable.
   * @returns the unit of the wallet, and the deviations of the response
   * @throws Problem SYSTEM_UNAVAILABLE if the connection changed during the query, and the problems
   * of `connect`
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
    const answered = await queryBalance(this.#deps.db, scope, connection);
    const at = clock.now();
    await transactor.transact(scope.accountId, async (tx) => {
      await requireConnected(tx, scope, connection);
      await noteUpstream(tx, scope, toBalanceNote(answered, at), at);
    });
    return { answered, at };
  }

  /** @throws Problem NOT_FOUND */
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
   * Tests whether a shop can sell through a gateway. Stores nothing.
   * @param typed undefined for the connected gateway
   * @throws Problem INVALID_REQUEST naming the invalid field, NOT_FOUND without a connection
   */
  async judge(scope: Scope, typed: TypedConnection | undefined): Promise<GatewayVerdict> {
    const connection = typed ? this.#open(scope, typed) : await this.findConnection(scope);
    if (!connection) throw notConnected();
    const { currency } = await getBalances(this.#deps.db, scope);
    return judgeGateway(connection, currency);
  }

  #open(scope: Scope, typed: TypedConnection) {
    const connection = checkConnection(scope, this.#kinds, typed);
    return { ...connection, kind: this.#kinds[connection.kind] };
  }

  async getStatus(scope: Scope): Promise<UpstreamStatus> {
    const stored = await findUpstream(this.#deps.db, scope);
    return {
      connected: stored?.keySealed !== undefined,
      stored,
      hook: getHookState(this.#deps.sealer, stored),
      balance: stored?.balance && (await compareBalances(this.#deps.db, scope, stored.balance)),
      deviations: await listDeviations(this.#deps.db, scope),
    };
  }

  /** Returns whether these are the stored credentials; false if those cannot be decrypted. */
  #isKey({ keySealed }: StoredUpstream, credentials: string): boolean {
    try {
      return keySealed !== undefined && this.#deps.sealer.open(keySealed) === credentials;
    } catch (error) {
      if (error instanceof SealError) return false;
      throw error;
    }
  }

  async #report(scope: Scope, { kind, message }: ProviderFault): Promise<void> {
    const { transactor, clock, log } = this.#deps;
    log.warn({ kind }, message);
    const at = clock.now();
    const note = { fault_kind: kind, fault_message: message, fault_at: at };
    await transactor.transact(scope.accountId, (tx) => noteUpstream(tx, scope, note, at));
  }

  #recordAudit(
    tx: Parameters<typeof recordAudit>[0],
    { accountId, environment, staffId }: ScopedAuthor,
    action: AuditAction,
    detail: AuditDetail,
  ): Promise<void> {
    const at = this.#deps.clock.now();
    return recordAudit(tx, { accountId, staffId, action, subject: environment, detail, at });
  }
}
