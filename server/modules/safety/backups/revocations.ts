import type { Selectable } from "kysely";
import type { AuditAction } from "../../../contract/pos/audit-trail.ts";
import { type Db, openDatabaseFile, type Tx } from "../../../db/database.ts";
import { findSchemaVersion } from "../../../db/migrate.ts";
import type { Tables } from "../../../db/tables.ts";
import { FIRST_PROVIDER } from "../../../providers/supply.ts";
import { findLastTime, recordAudit } from "../../books/audit-trail/index.ts";
import { deleteServer, findServer, writeServer } from "../../messages/mail/index.ts";
import type { ReturnedAccess } from "./restore-review.ts";

/**
 * The restored database (`tx`) and the replaced database. If they differ, the later audit entry
 * about the person or secret applies.
 */
interface Scope {
  readonly tx: Tx;
  readonly replaced: Db;
  readonly accountId: string;
  readonly at: number;
  readonly kept: string[];
}

export interface Carried {
  /** One text for each access or secret that keeps its state of the replaced database. */
  kept: string[];
  /** Access that exists in the backup, but not in the replaced database. */
  returned: ReturnedAccess;
}

const ACTIVITY: readonly AuditAction[] = ["staff.activate", "staff.deactivate"];
const RIGHTS: readonly AuditAction[] = ["staff.role", "staff.rights", "staff.limits"];

/**
 * Carries over revocations from the replaced database (rules#backup-revocations): revoked devices,
 * API keys, receipt links, webhooks and staff, and PINs, permissions and provider keys that were
 * changed after the backup.
 * @param sameKey whether both databases have the same key file for PINs and secrets
 * @throws if the replaced database cannot be read
 */
export async function carryRevocations(
  tx: Tx,
  file: string,
  { accountId, at, sameKey }: { accountId: string; at: number; sameKey: boolean },
): Promise<Carried> {
  const replaced = openDatabaseFile(file, "read");
  try {
    const scope: Scope = { tx, replaced, accountId, at, kept: [] };
    await carryDevices(scope);
    await carryApiKeys(scope);
    await carryReceiptLinks(scope);
    await carryStaff(scope, sameKey);
    if (sameKey) await carryUpstream(scope);
    if (sameKey) await carryMailServer(scope);
    await carryWebhooks(scope, sameKey);
    if (sameKey) {
      await carryWebhookSecrets(scope);
      await addWebhooks(scope);
    }
    await tx.deleteFrom("device_codes").execute();
    await keepOwner(scope, sameKey);
    return { kept: scope.kept, returned: await findReturned(scope) };
  } finally {
    await replaced.destroy();
  }
}

async function carryDevices(scope: Scope): Promise<void> {
  const { tx, replaced, accountId, kept } = scope;
  const revoked = await replaced
    .selectFrom("devices")
    .select(["device_id", "name", "revoked_at"])
    .where("account_id", "=", accountId)
    .where("revoked_at", "is not", null)
    .execute();
  for (const { device_id, name, revoked_at } of revoked) {
    const { numUpdatedRows } = await tx
      .updateTable("devices")
      .set({ revoked_at })
      .where("account_id", "=", accountId)
      .where("device_id", "=", device_id)
      .where("revoked_at", "is", null)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) continue;
    kept.push(`device "${name}" revoked`);
    await record(scope, "device.revoke", device_id, { name });
  }
}

async function carryApiKeys(scope: Scope): Promise<void> {
  const { tx, replaced, kept } = scope;
  const revoked = await replaced
    .selectFrom("api_keys")
    .select(["key_id", "name", "revoked_at"])
    .where("revoked_at", "is not", null)
    .execute();
  for (const { key_id, name, revoked_at } of revoked) {
    const { numUpdatedRows } = await tx
      .updateTable("api_keys")
      .set({ revoked_at })
      .where("key_id", "=", key_id)
      .where("revoked_at", "is", null)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) continue;
    kept.push(`API key "${name}" revoked`);
    await record(scope, "key.revoke", key_id, { name });
  }
}

async function carryReceiptLinks({ tx, replaced, kept }: Scope): Promise<void> {
  const revoked = await replaced
    .selectFrom("receipt_links")
    .select(["link_id", "revoked_at", "revoked_by"])
    .where("revoked_at", "is not", null)
    .execute();
  let count = 0;
  for (const { link_id, ...revocation } of revoked) {
    const { numUpdatedRows } = await tx
      .updateTable("receipt_links")
      .set(revocation)
      .where("link_id", "=", link_id)
      .where("revoked_at", "is", null)
      .executeTakeFirst();
    count += Number(numUpdatedRows);
  }
  if (count > 0) kept.push(`${count} receipt links revoked`);
}

async function carryStaff(scope: Scope, sameKey: boolean): Promise<void> {
  const { tx, replaced, accountId, kept } = scope;
  const people = await replaced
    .selectFrom("staff")
    .selectAll()
    .where("account_id", "=", accountId)
    .execute();
  for (const person of people) {
    const { staff_id, name } = person;
    const restored = await tx
      .selectFrom("staff")
      .selectAll()
      .where("account_id", "=", accountId)
      .where("staff_id", "=", staff_id)
      .executeTakeFirst();
    if (!restored) continue;
    const { active, role, rights_json, limits_json, pin_hash } = person;
    const isLater = (actions: readonly AuditAction[]) => isDecidedLater(scope, actions, staff_id);
    const change = {
      ...(active !== restored.active && (await isLater(ACTIVITY)) && { active }),
      ...((role !== restored.role ||
        rights_json !== restored.rights_json ||
        limits_json !== restored.limits_json) &&
        (await isLater(RIGHTS)) && { role, rights_json, limits_json }),
      ...(sameKey &&
        pin_hash !== restored.pin_hash &&
        (await isLater(["staff.pin"])) && { pin_hash }),
    };
    if (Object.keys(change).length === 0) continue;
    await tx
      .updateTable("staff")
      .set(change)
      .where("account_id", "=", accountId)
      .where("staff_id", "=", staff_id)
      .execute();
    if (change.active !== undefined) {
      kept.push(`"${name}" ${active === 1 ? "active" : "dismissed"}`);
      await record(scope, active === 1 ? "staff.activate" : "staff.deactivate", staff_id);
    }
    if (change.role !== undefined) {
      kept.push(`permissions of "${name}"`);
      await record(scope, "staff.role", staff_id, { role });
    }
    if (change.pin_hash !== undefined) {
      kept.push(`PIN of "${name}"`);
      await record(scope, "staff.pin", staff_id);
    }
  }
}

async function carryUpstream(scope: Scope): Promise<void> {
  const { tx, replaced, accountId, at, kept } = scope;
  const isLater = await isDecidedLater(
    scope,
    [
      ["upstream.connect", "upstream.disconnect", "upstream.hook-secret", "upstream.hook"],
      ["upstream.rename", "upstream.pause", "upstream.resume"],
    ].flat() as AuditAction[],
    undefined,
  );
  if (!isLater) return;
  // All columns, because an earlier version's database has no kind and no provider.
  const stored = await replaced
    .selectFrom("upstreams")
    .selectAll()
    .where("account_id", "=", accountId)
    .execute();
  const newer = new Map(stored.map((row) => [toConnection(row).provider_id, toConnection(row)]));
  const restored = await tx
    .selectFrom("upstreams")
    .select(["provider_id", "kind", "base_url"])
    .where("account_id", "=", accountId)
    .execute();
  const unfinished = await countUnfinished(tx, accountId);
  for (const { provider_id, kind, base_url } of restored) {
    const connection = newer.get(provider_id);
    newer.delete(provider_id);
    const isOther = connection?.base_url !== base_url || connection.kind !== kind;
    const isUnsafe = isOther && (connection?.key_sealed ?? null) !== null && unfinished > 0;
    // The restored catalog is that of the other company.
    const fresh = isOther ? { replaced_at: at, synced_at: null } : {};
    await tx
      .updateTable("upstreams")
      .set(connection && !isUnsafe ? { ...connection, ...fresh } : DISCONNECTED)
      .where("account_id", "=", accountId)
      .where("provider_id", "=", provider_id)
      .execute();
    // The newer provider never received the backup's purchases, and would deliver them again.
    if (isUnsafe) kept.push(`no connection to a provider: ${base_url} has unfinished purchases`);
    else kept.push("connection to the provider");
  }
  for (const connection of newer.values()) {
    const row = { account_id: accountId, environment: "live" as const, ...connection };
    await tx.insertInto("upstreams").values(row).execute();
    kept.push("connection to the provider");
  }
}

const DISCONNECTED = { key_sealed: null, hook_token_hash: null, hook_secret_sealed: null };

function toConnection(row: Selectable<Tables["upstreams"]>) {
  const earlier: Partial<typeof row> = row;
  return {
    provider_id: earlier.provider_id ?? FIRST_PROVIDER,
    name: earlier.name ?? "",
    paused_at: earlier.paused_at ?? null,
    kind: earlier.kind ?? "gateway",
    base_url: row.base_url,
    key_sealed: row.key_sealed,
    allow_private: row.allow_private,
    connected_at: row.connected_at,
    hook_token_hash: row.hook_token_hash,
    hook_secret_sealed: row.hook_secret_sealed,
  };
}

async function countUnfinished(tx: Tx, accountId: string): Promise<number> {
  const { count } = await tx
    .selectFrom("transactions")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("account_id", "=", accountId)
    .where("environment", "=", "live")
    .where("finished_at", "is", null)
    .executeTakeFirstOrThrow();
  return count;
}

async function carryMailServer(scope: Scope): Promise<void> {
  const { tx, replaced, accountId, kept } = scope;
  if (!(await isDecidedLater(scope, ["mail.server", "mail.no-server"], undefined))) return;
  // An update that failed leaves a replaced database with the tables of the earlier version.
  if ((await findSchemaVersion(replaced))?.pending.length !== 0) return;
  const server = await findServer(replaced, accountId);
  if (server) await writeServer(tx, accountId, server);
  else await deleteServer(tx, accountId);
  kept.push("mail server");
}

/**
 * Without the same key, the secrets of a verifier's successor cannot be read. The verifier of the
 * backup then remains, because purchases would otherwise pass unverified.
 */
async function carryWebhooks(scope: Scope, sameKey: boolean): Promise<void> {
  const { tx, replaced, accountId, kept } = scope;
  // All columns, because an earlier version's database has no kinds.
  const stored = await replaced
    .selectFrom("webhook_endpoints")
    .selectAll()
    .where("account_id", "=", accountId)
    .execute();
  const verifiers = stored.filter((row) => row.removed_at === null && isVerifier(row));
  let count = 0;
  for (const { environment, endpoint_id, removed_at, ...row } of stored) {
    if (removed_at === null) continue;
    const hasSuccessor = verifiers.some((verifier) => verifier.environment === environment);
    if (isVerifier(row) && hasSuccessor && !sameKey) continue;
    const { numUpdatedRows } = await tx
      .updateTable("webhook_endpoints")
      .set({ removed_at, ...NO_SECRETS })
      .where("account_id", "=", accountId)
      .where("environment", "=", environment)
      .where("endpoint_id", "=", endpoint_id)
      .where("removed_at", "is", null)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) continue;
    count += 1;
    await tx
      .updateTable("webhook_deliveries")
      .set({ state: "CANCELLED", next_attempt_at: null })
      .where("account_id", "=", accountId)
      .where("environment", "=", environment)
      .where("endpoint_id", "=", endpoint_id)
      .where("state", "=", "PENDING")
      .execute();
  }
  if (count > 0) kept.push(`${count} webhooks removed`);
}

const NO_SECRETS = {
  header_name: null,
  header_value_sealed: null,
  secret_sealed: null,
  old_secret_sealed: null,
  old_secret_until: null,
};

function isVerifier(endpoint: Partial<Selectable<Tables["webhook_endpoints"]>>): boolean {
  return toKinds(endpoint).split(" ").includes("TRANSACTION");
}

/** An earlier version's database has one kind for each webhook. */
function toKinds({
  kinds,
  kind = "",
}: Partial<Selectable<Tables["webhook_endpoints"]>> & { kind?: string }): string {
  return kinds ?? kind;
}

/**
 * Adds webhooks that were registered after the backup. Listeners are left out: their programs create
 * them again.
 */
async function addWebhooks(scope: Scope): Promise<void> {
  const { tx, replaced, accountId, kept } = scope;
  const endpoints = await replaced
    .selectFrom("webhook_endpoints")
    .selectAll()
    .where("account_id", "=", accountId)
    .where("removed_at", "is", null)
    .execute();
  let count = 0;
  for (const endpoint of endpoints) {
    const { environment, endpoint_id, url, listening_until } = endpoint;
    if (typeof listening_until === "number") continue;
    const kinds = toKinds(endpoint);
    const { numInsertedOrUpdatedRows } = await tx
      .insertInto("webhook_endpoints")
      .values({
        account_id: accountId,
        environment,
        endpoint_id,
        kinds,
        description: endpoint.description ?? null,
        url,
        header_name: endpoint.header_name,
        header_value_sealed: endpoint.header_value_sealed,
        secret_sealed: endpoint.secret_sealed,
        old_secret_sealed: endpoint.old_secret_sealed,
        old_secret_until: endpoint.old_secret_until,
        allow_private: endpoint.allow_private,
        created_at: endpoint.created_at,
        paused_at: endpoint.paused_at,
      })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    if (numInsertedOrUpdatedRows !== 1n) continue;
    count += 1;
    const detail = { environment, kind: kinds.replaceAll(" ", ", "), host: new URL(url).host };
    await record(scope, "webhook.add", endpoint_id, detail);
  }
  if (count > 0) kept.push(`${count} webhooks registered after the backup`);
}

/** Keeps the newer secret, address, header and kinds of a webhook that was changed after the backup. */
async function carryWebhookSecrets(scope: Scope): Promise<void> {
  const { tx, replaced, accountId, kept } = scope;
  // All columns, because an earlier version's database has no kinds.
  const endpoints: Partial<Selectable<Tables["webhook_endpoints"]>>[] = await replaced
    .selectFrom("webhook_endpoints")
    .selectAll()
    .where("account_id", "=", accountId)
    .where("removed_at", "is", null)
    .execute();
  // Only one webhook may verify, so the others give up this kind first.
  endpoints.sort((one, other) => Number(isVerifier(one)) - Number(isVerifier(other)));
  let count = 0;
  for (const endpoint of endpoints) {
    const {
      endpoint_id = "",
      url,
      kinds,
      description,
      header_name,
      header_value_sealed,
    } = endpoint;
    const { allow_private, secret_sealed, old_secret_sealed, old_secret_until } = endpoint;
    if (!(await isDecidedLater(scope, ["webhook.secret", "webhook.change"], endpoint_id))) continue;
    const target = { url, kinds, description, header_name, header_value_sealed, allow_private };
    const state = { ...target, secret_sealed, old_secret_sealed, old_secret_until };
    const { numUpdatedRows } = await tx
      .updateTable("webhook_endpoints")
      .set(state)
      .where("account_id", "=", accountId)
      .where("endpoint_id", "=", endpoint_id)
      .where("removed_at", "is", null)
      .executeTakeFirst();
    count += Number(numUpdatedRows);
  }
  if (count > 0) kept.push(`${count} webhooks with their newer secret`);
}

/** Carries over the owner of the replaced database if the restored shop has no active owner. */
async function keepOwner({ tx, replaced, accountId }: Scope, sameKey: boolean): Promise<void> {
  const isOwner = (db: Db | Tx) =>
    db
      .selectFrom("staff")
      .selectAll()
      .where("account_id", "=", accountId)
      .where("role", "=", "owner")
      .where("active", "=", 1);
  if ((await isOwner(tx).executeTakeFirst()) !== undefined || !sameKey) return;
  for (const { checksum: _, ...owner } of await isOwner(replaced).execute()) {
    const taken = await tx
      .selectFrom("staff")
      .select("staff_id")
      .where("account_id", "=", accountId)
      .where("name", "=", owner.name)
      .executeTakeFirst();
    const name = taken ? `${owner.name} (${owner.staff_id.slice(0, 8)})` : owner.name;
    await tx
      .insertInto("staff")
      .values({ ...owner, name })
      .execute();
  }
}

/** Lists access that is active in the restored database, but not in the replaced database. */
async function findReturned({ tx, replaced }: Scope): Promise<ReturnedAccess> {
  const before = await findAccess(replaced);
  const after = await findAccess(tx);
  const added = (kind: keyof ReturnedAccess) => {
    const known = new Set(before[kind]);
    return after[kind].filter((id) => !known.has(id));
  };
  return { people: added("people"), devices: added("devices"), keys: added("keys") };
}

async function findAccess(db: Db | Tx): Promise<ReturnedAccess> {
  const people = await db
    .selectFrom("staff")
    .select("staff_id as id")
    .where("active", "=", 1)
    .execute();
  const devices = await db
    .selectFrom("devices")
    .select("device_id as id")
    .where("revoked_at", "is", null)
    .execute();
  const keys = await db
    .selectFrom("api_keys")
    .select("key_id as id")
    .where("revoked_at", "is", null)
    .execute();
  const toIds = (rows: { id: string }[]) => rows.map(({ id }) => id);
  return { people: toIds(people), devices: toIds(devices), keys: toIds(keys) };
}

/** Returns whether the newest audit entry of these actions is in the replaced database. */
async function isDecidedLater(
  { tx, replaced, accountId }: Scope,
  actions: readonly AuditAction[],
  subject: string | undefined,
): Promise<boolean> {
  const query = { accountId, actions, subject };
  return (await findLastTime(replaced, query)) > (await findLastTime(tx, query));
}

async function record(
  { tx, accountId, at }: Scope,
  action: AuditAction,
  subject: string,
  detail: Record<string, string> = {},
): Promise<void> {
  const entry = { accountId, staffId: undefined, action, subject, at };
  await recordAudit(tx, { ...entry, detail: { ...detail, carriedOver: true } });
}
