import type { AuditAction } from "../../contract/pos/audit-trail.ts";
import { type Db, openDatabaseFile, type Tx } from "../../db/database.ts";
import { findLastTime, recordAudit } from "../audit-trail/index.ts";

/** Of two decisions about a person or a secret, the one that the audit trails date later is kept. */
interface Scope {
  readonly tx: Tx;
  readonly replaced: Db;
  readonly accountId: string;
  /** Milliseconds. */
  readonly at: number;
}

export interface Carried {
  /** How many devices, keys, people, PINs, receipt links and secrets stay as they were in the replaced database. */
  count: number;
  /** Whether access came back that the replaced database did not give. */
  hasReturned: boolean;
}

const ACTIVITY: readonly AuditAction[] = ["staff.activate", "staff.deactivate"];
const RIGHTS: readonly AuditAction[] = ["staff.role", "staff.rights", "staff.limits"];

/**
 * Keeps revoked what was revoked in the database that a restore replaces: devices, API keys, receipt links and webhooks,
 * dismissed staff, and PINs, rights and provider keys that were changed after the backup (rules#backup-revocations).
 * @param sameKey whether the PINs and secrets of both databases depend on one key file
 * @throws where the replaced database cannot be read
 */
export async function carryRevocations(
  tx: Tx,
  file: string,
  { accountId, at, sameKey }: { accountId: string; at: number; sameKey: boolean },
): Promise<Carried> {
  const replaced = openDatabaseFile(file, "read");
  try {
    const scope = { tx, replaced, accountId, at };
    const counts = [
      await carryDevices(scope),
      await carryApiKeys(scope),
      await carryReceiptLinks(scope),
      await carryStaff(scope, sameKey),
      sameKey ? await carryUpstream(scope) : 0,
      sameKey ? await carryMailServer(scope) : 0,
      await carryWebhooks(scope),
    ];
    await tx.deleteFrom("device_codes").execute();
    await keepOwner(scope, sameKey);
    return {
      count: counts.reduce((sum, count) => sum + count, 0),
      hasReturned: await hasReturned(scope),
    };
  } finally {
    await replaced.destroy();
  }
}

async function carryDevices(scope: Scope): Promise<number> {
  const { tx, replaced, accountId } = scope;
  const revoked = await replaced
    .selectFrom("devices")
    .select(["device_id", "name", "revoked_at"])
    .where("account_id", "=", accountId)
    .where("revoked_at", "is not", null)
    .execute();
  let count = 0;
  for (const { device_id, name, revoked_at } of revoked) {
    const { numUpdatedRows } = await tx
      .updateTable("devices")
      .set({ revoked_at })
      .where("account_id", "=", accountId)
      .where("device_id", "=", device_id)
      .where("revoked_at", "is", null)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) continue;
    count++;
    await record(scope, "device.revoke", device_id, { name });
  }
  return count;
}

async function carryApiKeys(scope: Scope): Promise<number> {
  const { tx, replaced } = scope;
  const revoked = await replaced
    .selectFrom("api_keys")
    .select(["key_id", "name", "revoked_at"])
    .where("revoked_at", "is not", null)
    .execute();
  let count = 0;
  for (const { key_id, name, revoked_at } of revoked) {
    const { numUpdatedRows } = await tx
      .updateTable("api_keys")
      .set({ revoked_at })
      .where("key_id", "=", key_id)
      .where("revoked_at", "is", null)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) continue;
    count++;
    await record(scope, "key.revoke", key_id, { name });
  }
  return count;
}

async function carryReceiptLinks({ tx, replaced }: Scope): Promise<number> {
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
  return count;
}

async function carryStaff(scope: Scope, sameKey: boolean): Promise<number> {
  const { tx, replaced, accountId } = scope;
  const people = await replaced
    .selectFrom("staff")
    .selectAll()
    .where("account_id", "=", accountId)
    .execute();
  let count = 0;
  for (const person of people) {
    const { staff_id } = person;
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
    count += Object.keys(change).length;
    if (change.active !== undefined) {
      await record(scope, active === 1 ? "staff.activate" : "staff.deactivate", staff_id);
    }
    if (change.role !== undefined) await record(scope, "staff.role", staff_id, { role });
    if (change.pin_hash !== undefined) await record(scope, "staff.pin", staff_id);
  }
  return count;
}

async function carryUpstream(scope: Scope): Promise<number> {
  const { tx, replaced, accountId } = scope;
  const isLater = await isDecidedLater(
    scope,
    ["upstream.connect", "upstream.disconnect", "upstream.hook-secret", "upstream.hook"],
    undefined,
  );
  if (!isLater) return 0;
  const connection = await replaced
    .selectFrom("upstreams")
    .select(["base_url", "key_sealed", "allow_private", "connected_at"])
    .select(["hook_token_hash", "hook_secret_sealed"])
    .where("account_id", "=", accountId)
    .executeTakeFirst();
  const { numUpdatedRows } = await tx
    .updateTable("upstreams")
    .set(connection ?? { key_sealed: null, hook_token_hash: null, hook_secret_sealed: null })
    .where("account_id", "=", accountId)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

async function carryMailServer(scope: Scope): Promise<number> {
  const { tx, replaced, accountId } = scope;
  if (!(await isDecidedLater(scope, ["mail.server", "mail.no-server"], undefined))) return 0;
  const server = await replaced
    .selectFrom("mail_servers")
    .selectAll()
    .where("account_id", "=", accountId)
    .executeTakeFirst();
  await tx.deleteFrom("mail_servers").where("account_id", "=", accountId).execute();
  if (server) await tx.insertInto("mail_servers").values(server).execute();
  return 1;
}

/** A webhook that was removed stays removed; one whose secret was replaced keeps the newer secret. */
async function carryWebhooks({ tx, replaced, accountId }: Scope): Promise<number> {
  const removed = await replaced
    .selectFrom("webhook_endpoints")
    .select(["endpoint_id", "removed_at"])
    .where("account_id", "=", accountId)
    .where("removed_at", "is not", null)
    .execute();
  let count = 0;
  for (const { endpoint_id, removed_at } of removed) {
    const { numUpdatedRows } = await tx
      .updateTable("webhook_endpoints")
      .set({ removed_at, secret_sealed: null, header_value_sealed: null })
      .where("account_id", "=", accountId)
      .where("endpoint_id", "=", endpoint_id)
      .where("removed_at", "is", null)
      .executeTakeFirst();
    count += Number(numUpdatedRows);
  }
  return count;
}

/** A person who became an owner after the backup is taken over where the restored shop has no other active owner. */
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

/** Whether the restored database lets in a device, key or person that the replaced one does not know as active. */
async function hasReturned({ tx, replaced }: Scope): Promise<boolean> {
  const active = async (db: Db | Tx) => {
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
    const people = await db
      .selectFrom("staff")
      .select("staff_id as id")
      .where("active", "=", 1)
      .execute();
    return [...devices, ...keys, ...people].map(({ id }) => id);
  };
  const before = new Set(await active(replaced));
  return (await active(tx)).some((id) => !before.has(id));
}

/** Whether the replaced database has a newer entry of the actions than the restored one. */
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
