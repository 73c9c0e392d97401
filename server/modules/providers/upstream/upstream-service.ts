import type { ScopedAuthor } from "../../../contract/pos/actor.ts";
import type { AuditAction } from "../../../contract/pos/audit-trail.ts";
import {
  type GatewayVerdict,
  PROVIDER_KIND_FACTS,
  type ProviderKindName,
} from "../../../contract/pos/upstream.ts";
import { Problem } from "../../../contract/problem.ts";
import type { Scope } from "../../../db/changes.ts";
import type { Db, Tx } from "../../../db/database.ts";
import type { Transactor } from "../../../db/transactor.ts";
import { cancelJob, enqueueJob } from "../../../jobs/job-store.ts";
import type { Clock } from "../../../lib/clock.ts";
import type { Log } from "../../../lib/log.ts";
import type { Unit } from "../../../lib/money.ts";
import { SealError, type Sealer } from "../../../lib/sealer.ts";
import { listDeviations } from "../../../providers/deviation-store.ts";
import type { ProviderKind } from "../../../providers/kind.ts";
import { createKinds } from "../../../providers/kinds.ts";
import type { Provider, ProviderFault } from "../../../providers/provider.ts";
import type { ProviderConnection } from "../../../providers/provider-call.ts";
import { FIRST_PROVIDER } from "../../../providers/supply.ts";
import { type AuditDetail, recordAudit, whatChanged } from "../../books/audit-trail/index.ts";
import { getBalances } from "../../books/wallet/index.ts";
import { isTroubled, noteChoice } from "../../catalog/catalog/index.ts";
import { findShop } from "../../shop/shop/index.ts";
import { SYNC_JOB, toSyncSubject } from "./catalog-sync.ts";
import {
  checkConnection,
  checkName,
  checkUnfinished,
  findPlace,
  joinCredentials,
  listOpenAtProvider,
  notConnected,
  requireFreeName,
  requireSameAccount,
  type StoredConnection,
  splitCredentials,
  type TypedConnection,
  toReason,
} from "./connection-rules.ts";
import {
  type BalanceComparison,
  compareBalances,
  getHookState,
  judgeGateway,
  notePartOf,
  ProviderBalances,
  queryBalance,
  requireBalance,
  toBalanceNote,
  type UpstreamStatus,
} from "./upstream-status.ts";
import {
  findUpstream,
  listUpstreams,
  noteUpstream,
  type ProviderRef,
  resolveProvider,
  type StoredUpstream,
  saveConnection,
} from "./upstream-store.ts";

type Facts = Pick<StoredUpstream, "kind" | "baseUrl">;

function isProvider(stored: Facts | undefined, { kind, baseUrl }: Facts): boolean {
  return stored?.kind === kind && stored.baseUrl === baseUrl;
}

/** Returns the facts of a connection that the audit trail shows. */
function pickFacts({
  name,
  kind,
  baseUrl,
  allowPrivate,
}: Facts & Pick<StoredUpstream, "name" | "allowPrivate">) {
  return { name, providerKind: kind, baseUrl, allowPrivate };
}

function changedMeanwhile(): Problem {
  const message = "A purchase or a provider was added during the test. Connect again.";
  return new Problem("SYSTEM_UNAVAILABLE", message);
}

interface UpstreamServiceDeps {
  db: Db;
  transactor: Transactor;
  clock: Clock;
  log: Log;
  sealer: Sealer;
}

/** A provider of an environment; by default the first connected one. */
type AskedProvider = Scope & { providerId?: string | undefined };

interface ConnectInput extends TypedConnection {
  approvesCatalog?: boolean;
  /** The provider to connect again; by default the first one. */
  providerId?: string | undefined;
  /** Connects a further provider of this name. The first provider of a shop may have a name. */
  newName?: string | undefined;
}

/**
 * Manages the providers of the live environment; the test environment uses the simulator. The
 * connections are read from the database each time, because the command line may change them.
 */
export class UpstreamService {
  readonly #deps: UpstreamServiceDeps;
  readonly #kinds: ReturnType<typeof createKinds>;
  readonly #balances: ProviderBalances;
  readonly #stop = new AbortController();

  constructor(deps: UpstreamServiceDeps) {
    this.#deps = deps;
    this.#kinds = createKinds({ clock: deps.clock, stopping: this.#stop.signal });
    this.#balances = new ProviderBalances({
      ...deps,
      findConnection: (ref) => this.findConnection(ref),
      report: (ref, fault) => this.#report(ref, fault),
    });
  }

  /** Ends readings of catalogs that wait for a busy provider. */
  stop(): void {
    this.#stop.abort();
  }

  /**
   * Returns undefined without a connection, or if the key cannot be decrypted.
   * @param providerId by default the first provider, also if it is not connected
   */
  async findProvider({
    accountId,
    environment,
    providerId = FIRST_PROVIDER,
  }: AskedProvider): Promise<Provider | undefined> {
    const { log } = this.#deps;
    const ref = { accountId, environment, providerId };
    try {
      const connection = await this.findConnection(ref);
      if (!connection) return undefined;
      return connection.kind.open(connection, (fault) => this.#report(ref, fault));
    } catch (error) {
      if (!(error instanceof SealError)) throw error;
      log.error({ err: error }, "the provider's key cannot be read");
      await this.#report(ref, { kind: "KEY_REFUSED", message: error.message });
      return undefined;
    }
  }

  /** @throws SealError if the key cannot be decrypted */
  async findConnection(ref: ProviderRef): Promise<StoredConnection | undefined> {
    const stored = await findUpstream(this.#deps.db, ref);
    return stored && this.#openStored(stored);
  }

  /** @throws SealError if the key cannot be decrypted */
  #openStored(stored: StoredUpstream): StoredConnection | undefined {
    const { providerId, kind, baseUrl, allowPrivate, keySealed } = stored;
    if (keySealed === undefined) return undefined;
    const credentials = splitCredentials(this.#deps.sealer.open(keySealed), kind);
    const place = { baseUrl, allowPrivate, keySealed };
    return { providerId, kind: this.#kinds[kind], ...place, ...credentials };
  }

  resolve(asked: AskedProvider): Promise<ProviderRef> {
    return resolveProvider(this.#deps.db, asked, asked.providerId);
  }

  /**
   * Refuses a request that names no provider in a shop with several connected ones.
   * @throws Problem INVALID_REQUEST naming `providerId`
   */
  async requireNamed({ providerId, ...scope }: AskedProvider): Promise<void> {
    if (providerId !== undefined) return;
    const connected = (await this.list(scope)).filter((one) => one.keySealed !== undefined);
    if (connected.length < 2) return;
    const names = connected.map((one) => `${one.providerId} (${one.name})`).join(", ");
    throw new Problem("INVALID_REQUEST", `This shop has several providers: ${names}.`, {
      providerId: "must name one of them",
    });
  }

  /** Lists all providers of the environment, also disconnected ones. */
  list(scope: Scope): Promise<StoredUpstream[]> {
    return listUpstreams(this.#deps.db, scope);
  }

  async getWalletUnit(scope: Scope): Promise<Unit> {
    const { currency, currencyDivisor } = await getBalances(this.#deps.db, scope);
    return { currency, currencyDivisor };
  }

  /** Returns whether the key is a test key; false if the key cannot be decrypted. */
  async hasTestKey(scope: AskedProvider): Promise<boolean> {
    const stored = await findUpstream(this.#deps.db, await this.resolve(scope));
    return stored !== undefined && this.#isTest(stored);
  }

  #isTest(stored: StoredUpstream): boolean {
    try {
      const connection = this.#openStored(stored);
      return connection?.kind.isTest(connection) ?? false;
    } catch (error) {
      if (error instanceof SealError) return false;
      throw error;
    }
  }

  /**
   * Connects a provider, whose currency must be the wallet's. Other providers are not affected. A
   * job then syncs the catalog.
   * @throws Problem INVALID_REQUEST naming the invalid field, SYSTEM_UNAVAILABLE
   */
  async connect(author: ScopedAuthor, input: ConnectInput): Promise<BalanceComparison> {
    const { db, transactor, clock, sealer } = this.#deps;
    const connection = checkConnection(author, this.#kinds, input);
    const name = input.newName === undefined ? undefined : checkName(input.newName);
    const ref = await findPlace(db, author, input);
    await checkUnfinished(db, ref, connection);
    await this.#requireLive(db, ref, connection);
    const asked = { ...connection, kind: this.#kinds[connection.kind] };
    const answered = await queryBalance(db, author, asked);
    const available = requireBalance(answered);
    const credentials = joinCredentials(connection);
    const isRecognised = await this.#recognise(ref, asked, credentials);
    const keySealed = sealer.seal(credentials);
    const at = clock.now();
    await transactor.transact(author.accountId, async (tx) => {
      const place = await findPlace(tx, author, input);
      if (place.providerId !== ref.providerId) throw changedMeanwhile();
      // A purchase may have been sent to the previous provider during the query.
      await checkUnfinished(tx, ref, connection);
      await this.#requireLive(tx, ref, connection);
      const stored = await findUpstream(tx, ref);
      await this.#requireOther(tx, ref, connection, credentials);
      const isSame = isProvider(stored, connection) && this.#isKey(stored, credentials);
      const isOther = stored !== undefined && !isSame && !isRecognised;
      if (isOther && (await listOpenAtProvider(tx, ref)).length > 0) throw changedMeanwhile();
      const approvesCatalog = input.approvesCatalog ?? stored?.approvesCatalog ?? false;
      await saveConnection(tx, ref, {
        ...connection,
        name,
        approvesCatalog,
        keySealed,
        isSame,
        at,
      });
      await noteUpstream(tx, ref, toBalanceNote(answered, at), at);
      await notePartOf(tx, ref, available);
      await noteChoice(tx, ref, { subject: "upstream", at });
      await enqueueJob(tx, { kind: SYNC_JOB, subject: toSyncSubject(ref), runAt: at });
      const now = pickFacts({ name: stored?.name ?? "", ...connection, ...(name && { name }) });
      const changed = whatChanged(stored ? pickFacts(stored) : {}, now);
      const { kind: providerKind, baseUrl } = connection;
      const detail = { baseUrl, providerKind, ...changed };
      await this.#recordAudit(tx, author, "upstream.connect", detail);
    });
    return compareBalances(db, ref, { available, at });
  }

  /**
   * Refuses credentials that another provider of the shop has: a purchase would have two providers
   * with one set of books.
   * @throws Problem INVALID_REQUEST naming `key`
   */
  async #requireOther(
    tx: Tx,
    { providerId, ...scope }: ProviderRef,
    connection: Pick<StoredUpstream, "kind" | "baseUrl">,
    credentials: string,
  ): Promise<void> {
    const twin = (await listUpstreams(tx, scope)).find(
      (one) =>
        one.providerId !== providerId &&
        isProvider(one, connection) &&
        this.#isKey(one, credentials),
    );
    if (!twin) return;
    throw new Problem("INVALID_REQUEST", `This account is connected already, as ${twin.name}.`, {
      key: `is the key of ${twin.name}`,
      ...toReason("TWIN", { provider: twin.name }),
    });
  }

  /**
   * Refuses a provider's test environment where customers would receive nothing real: beside or
   * instead of a live connection, and in a shop that sells live. A shop in its own network may
   * rehearse with test connections only (rules#live-conditions).
   * @throws Problem INVALID_REQUEST naming `key` or `baseUrl`
   */
  async #requireLive(
    db: Db | Tx,
    { providerId, ...scope }: ProviderRef,
    connection: ProviderConnection & { kind: ProviderKindName },
  ): Promise<void> {
    if (!this.#kinds[connection.kind].isTest(connection)) return;
    const sellsLive = (await findShop(db, scope.accountId))?.tillEnvironment === "live";
    const connected = (await listUpstreams(db, scope)).filter((one) => one.keySealed !== undefined);
    const others = connected.filter((one) => one.providerId !== providerId);
    const isBesideLive = (sellsLive ? connected : others).some((one) => !this.#isTest(one));
    const rehearses = connection.allowPrivate || (!sellsLive && others.length === 0);
    if (!isBesideLive && rehearses) return;
    const field = PROVIDER_KIND_FACTS[connection.kind].needsClientId ? "baseUrl" : "key";
    throw new Problem(
      "INVALID_REQUEST",
      "This is the provider's test environment, where nothing that is sold is real. Connect with its live address and key.",
      { [field]: "is of the provider's test environment", ...toReason("TEST") },
    );
  }

  /**
   * Returns whether purchases with an open outcome prove that other credentials belong to the same
   * account; false if no outcome is open.
   * @throws Problem INVALID_REQUEST naming `key` for another account
   */
  async #recognise(
    ref: ProviderRef,
    connection: ProviderConnection & { kind: ProviderKind },
    credentials: string,
  ): Promise<boolean> {
    const { db } = this.#deps;
    const stored = await findUpstream(db, ref);
    if (stored?.baseUrl !== connection.baseUrl || this.#isKey(stored, credentials)) return false;
    if ((await listOpenAtProvider(db, ref)).length === 0) return false;
    const provider = connection.kind.open(connection, async () => {});
    await requireSameAccount(this.#deps, ref, provider);
    return true;
  }

  /**
   * Disconnects a provider, and deletes its key. Its offers are not sold any more if the shop has
   * another provider. Purchases that it may have are resumed after a reconnection; others may move.
   * @throws Problem NOT_FOUND
   */
  async disconnect(author: ScopedAuthor & AskedProvider): Promise<void> {
    const gone = { key_sealed: null, hook_token_hash: null, hook_secret_sealed: null };
    await this.#change(author, async (tx, ref, stored, at) => {
      await noteUpstream(tx, ref, gone, at);
      await noteChoice(tx, ref, { subject: "upstream", at });
      await cancelJob(tx, SYNC_JOB, toSyncSubject(ref));
      const { name, baseUrl } = stored;
      await this.#recordAudit(tx, author, "upstream.disconnect", { name, baseUrl });
    });
  }

  /** @throws Problem INVALID_REQUEST naming `name`, NOT_FOUND */
  async rename(author: ScopedAuthor & AskedProvider, typed: string): Promise<void> {
    const name = checkName(typed);
    await this.#change(author, async (tx, ref, stored, at) => {
      requireFreeName(await listUpstreams(tx, ref), name, ref.providerId);
      await noteUpstream(tx, ref, { name }, at);
      const changed = whatChanged({ name: stored.name }, { name });
      await this.#recordAudit(tx, author, "upstream.rename", changed);
    });
  }

  /**
   * Stops or resumes the sale of a provider's offers. Purchases that were accepted earlier continue.
   * @throws Problem NOT_FOUND
   */
  async pause(author: ScopedAuthor & AskedProvider, isPaused: boolean): Promise<void> {
    await this.#change(author, async (tx, ref, stored, at) => {
      if ((stored.pausedAt !== undefined) === isPaused) return;
      await noteUpstream(tx, ref, { paused_at: isPaused ? at : null }, at);
      await noteChoice(tx, ref, { subject: "upstream", at });
      const { name } = stored;
      const action = isPaused ? "upstream.pause" : "upstream.resume";
      await this.#recordAudit(tx, author, action, { name });
    });
  }

  /** @throws Problem NOT_FOUND for a provider that is not connected */
  async #change(
    author: ScopedAuthor & AskedProvider,
    change: (tx: Tx, ref: ProviderRef, stored: StoredUpstream, at: number) => Promise<void>,
  ): Promise<void> {
    const { transactor, clock } = this.#deps;
    await transactor.transact(author.accountId, async (tx) => {
      const { accountId, environment, providerId = FIRST_PROVIDER } = author;
      const ref = { accountId, environment, providerId };
      const stored = await findUpstream(tx, ref);
      if (stored?.keySealed === undefined) throw notConnected();
      await change(tx, ref, stored, clock.now());
    });
  }

  /**
   * Compares the connected provider's balance with the wallet.
   * @throws Problem NOT_FOUND without a connection, and the problems of `connect`
   */
  async test(asked: AskedProvider): Promise<BalanceComparison> {
    const ref = await this.resolve(asked);
    const connection = await this.findConnection(ref);
    if (!connection) throw notConnected();
    const { answered, at } = await this.#balances.query(ref, connection);
    return compareBalances(this.#deps.db, ref, { available: requireBalance(answered), at });
  }

  /** Reads a balance that does not cover a purchase again. */
  recheckBalance(ref: ProviderRef, cost: number): Promise<void> {
    return this.#balances.recheck(ref, cost);
  }

  /**
   * Queries the balance, and stores it if it is readable.
   * @returns the unit of the wallet, and the deviations of the response
   * @throws Problem SYSTEM_UNAVAILABLE if the connection changed during the query, and the problems
   * of `connect`
   */
  async noteBalance(
    ref: ProviderRef,
    connection: StoredConnection,
  ): Promise<{ wallet: Unit; noted: string[] }> {
    const { answered } = await this.#balances.query(ref, connection);
    return { wallet: await this.getWalletUnit(ref), noted: answered.noted };
  }

  /** @throws Problem NOT_FOUND */
  async change(author: ScopedAuthor & AskedProvider, approvesCatalog: boolean): Promise<void> {
    await this.#change(author, async (tx, ref, stored, at) => {
      if (stored.approvesCatalog === approvesCatalog) return;
      await noteUpstream(tx, ref, { approves_catalog: approvesCatalog ? 1 : 0 }, at);
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
  async judge(scope: AskedProvider, typed: TypedConnection | undefined): Promise<GatewayVerdict> {
    const connection = typed
      ? this.#open(scope, typed)
      : await this.findConnection(await this.resolve(scope));
    if (!connection) throw notConnected();
    const { currency } = await getBalances(this.#deps.db, scope);
    return judgeGateway(connection, currency);
  }

  #open(scope: Scope, typed: TypedConnection) {
    const connection = checkConnection(scope, this.#kinds, typed);
    return { ...connection, kind: this.#kinds[connection.kind] };
  }

  async getStatus(asked: AskedProvider): Promise<UpstreamStatus> {
    const ref = await this.resolve(asked);
    const stored = await findUpstream(this.#deps.db, ref);
    return {
      connected: stored?.keySealed !== undefined,
      stored,
      hook: getHookState(this.#deps.sealer, stored),
      balance: stored?.balance && (await compareBalances(this.#deps.db, ref, stored.balance)),
      deviations: await listDeviations(this.#deps.db, ref),
    };
  }

  /** Returns whether these are the stored credentials; false if those cannot be decrypted. */
  #isKey(stored: StoredUpstream | undefined, credentials: string): boolean {
    const keySealed = stored?.keySealed;
    try {
      return keySealed !== undefined && this.#deps.sealer.open(keySealed) === credentials;
    } catch (error) {
      if (error instanceof SealError) return false;
      throw error;
    }
  }

  async #report(ref: ProviderRef, { kind, message }: ProviderFault): Promise<void> {
    const { transactor, clock, log } = this.#deps;
    log.warn({ kind }, message);
    const at = clock.now();
    const note = { fault_kind: kind, fault_message: message, fault_at: at };
    await transactor.transact(ref.accountId, async (tx) => {
      const stored = await findUpstream(tx, ref);
      await noteUpstream(tx, ref, note, at);
      const balanceAt = stored?.balance?.at;
      const isChanged =
        isTroubled(stored?.fault, balanceAt) !== isTroubled({ kind, at }, balanceAt);
      // Each sale fails until then. Only the first changes the choice of providers.
      if (isChanged) await noteChoice(tx, ref, { subject: "upstream", at });
    });
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
