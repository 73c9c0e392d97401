import type { Author } from "../../contract/pos/actor.ts";
import type { PosBackups, RecoveryKit, ReviewInput } from "../../contract/pos/backups.ts";
import type { Db, Tx } from "../../db/database.ts";
import type { Transactor } from "../../db/transactor.ts";
import { type Clock, toTimestamp } from "../../lib/clock.ts";
import type { Ids } from "../../lib/ids.ts";
import { createPhrase } from "../../lib/recovery-phrase.ts";
import { createSealKey, findSealKeyId } from "../../lib/sealer.ts";
import { recordAudit } from "../audit-trail/index.ts";
import { sealKit } from "./recovery-kit.ts";
import { closeReview, findReview, type RestoreReview } from "./restore-review.ts";

interface Deps {
  accountId: string;
  db: Db;
  transactor: Transactor;
  clock: Clock;
  ids: Ids;
  config: { dataDir: string };
}

/** The recovery kit of a shop, and the access that a restore brought back. */
export class RecoveryDesk {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Returns when the kit was made that new backups carry; undefined where they carry none. */
  async findKitTime(): Promise<number | undefined> {
    const { db, accountId, config } = this.#deps;
    const row = await db
      .selectFrom("recovery_kits")
      .select(["made_at", "key_id"])
      .where("account_id", "=", accountId)
      .executeTakeFirst();
    // A kit of a key file that is no longer there opens nothing.
    return row && row.key_id === findSealKeyId(config.dataDir) ? row.made_at : undefined;
  }

  /**
   * Makes a new kit, which takes the place of the one before (rules#backup-recovery-kit). The caller has asked for the PIN.
   * @throws SealError where the key file cannot be used
   */
  async makeKit({ accountId, staffId }: Author): Promise<RecoveryKit> {
    const { transactor, clock, ids, config } = this.#deps;
    const phrase = createPhrase();
    const key = createSealKey(config.dataDir);
    const madeAt = clock.now();
    const kit = await sealKit(phrase, key, { kitId: ids.uuid(), madeAt });
    await transactor.transact(accountId, async (tx) => {
      await tx.deleteFrom("recovery_kits").where("account_id", "=", accountId).execute();
      const row = { account_id: accountId, kit_id: kit.kitId, key_id: key.id, made_at: madeAt };
      await tx
        .insertInto("recovery_kits")
        .values({ ...row, content_json: JSON.stringify(kit) })
        .execute();
      const entry = { accountId, staffId, action: "recovery.kit", subject: kit.kitId } as const;
      await recordAudit(tx, { ...entry, at: madeAt });
    });
    return { phrase, madeAt: toTimestamp(madeAt) };
  }

  findReview(): Promise<RestoreReview | undefined> {
    return findReview(this.#deps.db, this.#deps.accountId);
  }

  /** @param staffId the owner who asks, and is not asked about */
  async viewReview(staffId: string): Promise<PosBackups["review"]> {
    const review = await this.findReview();
    if (!review) return undefined;
    const { db } = this.#deps;
    const people = await db
      .selectFrom("staff")
      .select(["staff_id as id", "name"])
      .where("active", "=", 1)
      .where("staff_id", "!=", staffId)
      .orderBy("name")
      .execute();
    const devices = await db
      .selectFrom("devices")
      .select(["device_id as id", "name"])
      .where("revoked_at", "is", null)
      .orderBy("name")
      .execute();
    const keys = await db
      .selectFrom("api_keys")
      .select(["key_id as id", "name"])
      .where("revoked_at", "is", null)
      .orderBy("name")
      .execute();
    const restoredAt = toTimestamp(review.restoredAt);
    return { restoredAt, takenAt: toTimestamp(review.takenAt), people, devices, keys };
  }

  /** Revokes the named access, and notes that an owner has looked at the rest. The caller has asked for the PIN. */
  async confirmAccess(
    { accountId, staffId }: Author,
    { people, devices, keys }: Omit<ReviewInput, "pin">,
  ): Promise<void> {
    const { transactor, clock } = this.#deps;
    const at = clock.now();
    await transactor.transact(accountId, async (tx) => {
      const author = { accountId, staffId, at };
      const named = people.filter((id) => id !== staffId);
      for (const id of named) await dismiss(tx, author, id);
      for (const id of devices) await revokeDevice(tx, author, id);
      for (const id of keys) await revokeKey(tx, author, id);
      await closeReview(tx, accountId);
      const detail = { people: named.length, devices: devices.length, keys: keys.length };
      const entry = { action: "backup.access-confirm", subject: accountId, detail } as const;
      await recordAudit(tx, { ...author, ...entry });
    });
  }
}

type At = Author & { at: number };

async function dismiss(tx: Tx, author: At, id: string): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable("staff")
    .set({ active: 0 })
    .where("account_id", "=", author.accountId)
    .where("staff_id", "=", id)
    .where("active", "=", 1)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return;
  await tx.deleteFrom("staff_sessions").where("staff_id", "=", id).execute();
  await recordAudit(tx, { ...author, action: "staff.deactivate", subject: id });
}

async function revokeDevice(tx: Tx, author: At, id: string): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable("devices")
    .set({ revoked_at: author.at })
    .where("account_id", "=", author.accountId)
    .where("device_id", "=", id)
    .where("revoked_at", "is", null)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return;
  await recordAudit(tx, { ...author, action: "device.revoke", subject: id });
}

async function revokeKey(tx: Tx, author: At, id: string): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable("api_keys")
    .set({ revoked_at: author.at })
    .where("account_id", "=", author.accountId)
    .where("key_id", "=", id)
    .where("revoked_at", "is", null)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return;
  await recordAudit(tx, { ...author, action: "key.revoke", subject: id });
}
