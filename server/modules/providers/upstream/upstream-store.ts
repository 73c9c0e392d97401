import type { Selectable } from "kysely";
import { type ProviderKindName, UpstreamSyncReport } from "../../../contract/pos/upstream.ts";
import { recordChange, type Scope } from "../../../db/changes.ts";
import type { Db, Tx } from "../../../db/database.ts";
import { inScope } from "../../../db/scope-filters.ts";
import { readColumn } from "../../../db/stored-json.ts";
import type { Tables } from "../../../db/tables.ts";
import type { ProviderFault } from "../../../providers/provider.ts";
import { FIRST_PROVIDER } from "../../../providers/supply.ts";

export interface ProviderRef extends Scope {
  providerId: string;
}

/** The stored provider; secrets are encrypted. */
export interface StoredUpstream {
  providerId: string;
  /** The owner's name for it, by default its host. */
  name: string;
  /** Undefined unless an owner paused the provider. */
  pausedAt: number | undefined;
  /** Undefined unless the catalog is that of another company. */
  replacedAt: number | undefined;
  kind: ProviderKindName;
  baseUrl: string;
  /** Undefined while disconnected. */
  keySealed: string | undefined;
  allowPrivate: boolean;
  approvesCatalog: boolean;
  connectedAt: number;
  hasHook: boolean;
  hookSecretSealed: string | undefined;
  /**
   * Base address under which the provider reaches this gateway; undefined if the owner gave none.
   */
  hookBaseUrl: string | undefined;
  balance: { available: number; at: number } | undefined;
  /** The provider's clock minus ours at the last query; undefined without a Date header. */
  clockDifference_ms: number | undefined;
  syncedAt: number | undefined;
  syncReport: UpstreamSyncReport | undefined;
  syncFailure: { message: string; at: number } | undefined;
  fault: (ProviderFault & { at: number }) | undefined;
}

export async function findUpstream(
  db: Db | Tx,
  ref: ProviderRef,
): Promise<StoredUpstream | undefined> {
  const row = await db
    .selectFrom("upstreams")
    .selectAll()
    .where(inScope(ref))
    .where("provider_id", "=", ref.providerId)
    .executeTakeFirst();
  return row && toUpstream(row);
}

/** Lists all providers in the order of their first connection, also disconnected ones. */
export async function listUpstreams(db: Db | Tx, scope: Scope): Promise<StoredUpstream[]> {
  const rows = await db.selectFrom("upstreams").selectAll().where(inScope(scope)).execute();
  const numberOf = ({ providerId }: StoredUpstream) => Number(providerId.replace(/\D/g, ""));
  return rows.map(toUpstream).toSorted((one, other) => numberOf(one) - numberOf(other));
}

/** Returns the names of all providers by their ids, also of disconnected ones. */
export async function providerNames(
  db: Db | Tx,
  { accountId, environment }: Scope,
): Promise<Map<string, string>> {
  const all = await listUpstreams(db, { accountId, environment });
  return new Map(all.map(({ providerId, name }) => [providerId, name]));
}

/**
 * Returns the provider that a query without a provider means: the first connected one. A change
 * without a provider means the first one, so that its repetition never changes another.
 * @param asked provider of the request
 */
export async function resolveProvider(
  db: Db | Tx,
  { accountId, environment }: Scope,
  asked: string | undefined,
): Promise<ProviderRef> {
  const scope = { accountId, environment };
  if (asked !== undefined) return { ...scope, providerId: asked };
  const connected = await db
    .selectFrom("upstreams")
    .select("provider_id")
    .where(inScope(scope))
    .where("key_sealed", "is not", null)
    .execute();
  const ids = connected.map((row) => row.provider_id);
  const isOnly = ids.length > 0 && !ids.includes(FIRST_PROVIDER);
  return { ...scope, providerId: isOnly ? (ids.toSorted()[0] ?? FIRST_PROVIDER) : FIRST_PROVIDER };
}

function toUpstream(row: Selectable<Tables["upstreams"]>): StoredUpstream {
  const { balance, balance_at, sync_failed_at, sync_failure, fault_kind, fault_at } = row;
  return {
    providerId: row.provider_id,
    name: row.name === "" ? new URL(row.base_url).host : row.name,
    pausedAt: row.paused_at ?? undefined,
    replacedAt: row.replaced_at ?? undefined,
    kind: row.kind,
    baseUrl: row.base_url,
    keySealed: row.key_sealed ?? undefined,
    allowPrivate: row.allow_private === 1,
    approvesCatalog: row.approves_catalog === 1,
    connectedAt: row.connected_at,
    hasHook: row.hook_token_hash !== null,
    hookSecretSealed: row.hook_secret_sealed ?? undefined,
    hookBaseUrl: row.hook_base_url ?? undefined,
    balance:
      balance === null || balance_at === null ? undefined : { available: balance, at: balance_at },
    clockDifference_ms: row.clock_difference_ms ?? undefined,
    syncedAt: row.synced_at ?? undefined,
    syncReport:
      row.sync_report_json === null
        ? undefined
        : readColumn(UpstreamSyncReport, row.sync_report_json, {
            table: "upstreams",
            column: "sync_report_json",
            row: row.environment,
          }),
    syncFailure:
      sync_failed_at === null ? undefined : { message: sync_failure ?? "", at: sync_failed_at },
    fault:
      fault_at === null
        ? undefined
        : {
            kind: fault_kind as ProviderFault["kind"],
            message: row.fault_message ?? "",
            at: fault_at,
          },
  };
}

export async function listConnected(db: Db | Tx): Promise<ProviderRef[]> {
  const rows = await db
    .selectFrom("upstreams")
    .select(["account_id", "environment", "provider_id"])
    .where("key_sealed", "is not", null)
    .execute();
  return rows.map((row) => ({
    accountId: row.account_id,
    environment: row.environment,
    providerId: row.provider_id,
  }));
}

/**
 * Stores a connection. A new provider deletes all facts about the previous provider. A new key
 * deletes the catalog and the balance.
 */
export async function saveConnection(
  tx: Tx,
  ref: ProviderRef,
  connection: {
    /** Undefined keeps the name. */
    name: string | undefined;
    kind: ProviderKindName;
    baseUrl: string;
    keySealed: string;
    allowPrivate: boolean;
    approvesCatalog: boolean;
    isSame: boolean;
    at: number;
  },
): Promise<void> {
  const before = await findUpstream(tx, ref);
  const isProvider = before?.baseUrl === connection.baseUrl && before.kind === connection.kind;
  const fresh = {
    ...(connection.name !== undefined && { name: connection.name }),
    // A new key does not end the owner's pause.
    ...(!isProvider && { paused_at: null, replaced_at: before ? connection.at : null }),
    kind: connection.kind,
    base_url: connection.baseUrl,
    key_sealed: connection.keySealed,
    allow_private: connection.allowPrivate ? 1 : 0,
    approves_catalog: connection.approvesCatalog ? 1 : 0,
    connected_at: connection.at,
    fault_kind: null,
    fault_message: null,
    fault_at: null,
    ...(!isProvider && {
      hook_token_hash: null,
      hook_secret_sealed: null,
    }),
    ...(!connection.isSame && {
      balance: null,
      balance_at: null,
      clock_difference_ms: null,
      synced_at: null,
      sync_report_json: null,
      sync_failed_at: null,
      sync_failure: null,
    }),
  };
  await tx
    .insertInto("upstreams")
    .values({
      account_id: ref.accountId,
      environment: ref.environment,
      provider_id: ref.providerId,
      ...fresh,
    })
    .onConflict((conflict) =>
      conflict.columns(["account_id", "environment", "provider_id"]).doUpdateSet(fresh),
    )
    .execute();
}

type Note = Partial<{
  name: string;
  paused_at: number | null;
  key_sealed: null;
  hook_token_hash: string | null;
  hook_secret_sealed: string | null;
  hook_base_url: string;
  balance: number;
  balance_at: number;
  clock_difference_ms: number | null;
  approves_catalog: number;
  synced_at: number;
  sync_report_json: string;
  sync_failed_at: number | null;
  sync_failure: string | null;
  fault_kind: string | null;
  fault_message: string | null;
  fault_at: number | null;
}>;

export async function noteUpstream(
  tx: Tx,
  ref: ProviderRef,
  note: Note,
  at: number,
): Promise<void> {
  await tx
    .updateTable("upstreams")
    .set(note)
    .where(inScope(ref))
    .where("provider_id", "=", ref.providerId)
    .execute();
  await recordChange(tx, ref, { topic: "provider", subject: "upstream", at });
}

export async function findHook(
  db: Db | Tx,
  tokenHash: string,
): Promise<(ProviderRef & { secretSealed: string }) | undefined> {
  const row = await db
    .selectFrom("upstreams")
    .select(["account_id", "environment", "provider_id", "hook_secret_sealed"])
    .where("hook_token_hash", "=", tokenHash)
    .where("key_sealed", "is not", null)
    .executeTakeFirst();
  if (!row?.hook_secret_sealed) return undefined;
  const { account_id: accountId, environment, hook_secret_sealed: secretSealed } = row;
  return { accountId, environment, providerId: row.provider_id, secretSealed };
}
