import { sql } from "kysely";
import type { Author } from "../../../contract/pos/actor.ts";
import type { PosBackups, RecoveryKit, ReviewInput } from "../../../contract/pos/backups.ts";
import { Problem } from "../../../contract/problem.ts";
import type { Tx } from "../../../db/database.ts";
import { placeOnce } from "../../../db/database-files.ts";
import { toTimestamp } from "../../../lib/clock.ts";
import { createPhrase } from "../../../lib/recovery-phrase.ts";
import {
  createSealKey,
  DESKTOP_SEAL,
  type FileSealer,
  findSealKeyId,
  SealError,
  type Sealer,
  type SealKey,
} from "../../../lib/sealer.ts";
import { recordAudit } from "../../books/audit-trail/index.ts";
import type { Base } from "../../module.ts";
import { type SealedKit, sealKit } from "./recovery-kit.ts";
import {
  closeReview,
  findReview,
  type RestoreReview,
  type ReturnedAccess,
} from "./restore-review.ts";
import { SEALED_COLUMNS } from "./sealed-with.ts";

interface Deps extends Pick<Base, "accountId" | "db" | "transactor" | "clock" | "ids" | "sealer"> {
  config: { dataDir: string };
  keyFile: Pick<FileSealer, "keyring">;
}

/**
 * Encrypted columns whose secrets never expire. Early desktop apps encrypted them with a keyring
 * key that no kit contains.
 */
const LASTING_SECRETS = SEALED_COLUMNS.filter(([table]) =>
  ["upstreams", "webhook_endpoints", "waiting_catalogs", "settings"].includes(table),
);

interface KitOfShop {
  readonly kitId: string;
  readonly madeAt: number;
}

interface KitsOfShop {
  /** The kit for which a person has confirmed the printed sheet. */
  readonly confirmed: KitOfShop | undefined;
  /** The kit whose sheet no person has confirmed yet. */
  readonly draft: KitOfShop | undefined;
}

const CONFIRMED = 0 as const;
const DRAFT = 1 as const;

export class RecoveryDesk {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  async findKits(): Promise<KitsOfShop> {
    const { db, accountId, config } = this.#deps;
    const rows = await db
      .selectFrom("recovery_kits")
      .select(["kit_id", "is_draft", "made_at", "key_id", "content_json"])
      .where("account_id", "=", accountId)
      .execute();
    // A kit for a deleted or replaced key file is useless.
    const usable = rows.filter(({ key_id, content_json }) => {
      const { keyringId } = JSON.parse(content_json) as SealedKit;
      return key_id === findSealKeyId(config.dataDir) && this.#isOfKeyring(keyringId);
    });
    const [confirmed, draft] = [0, 1].map((isDraft) =>
      usable
        .filter(({ is_draft }) => is_draft === isDraft)
        .map(({ kit_id, made_at }) => ({ kitId: kit_id, madeAt: made_at }))
        .at(0),
    );
    return { confirmed, draft };
  }

  #isOfKeyring(keyringId: string | undefined): boolean {
    if (!this.#hasKeyring()) return true;
    try {
      const current = this.#deps.sealer.findKeyringKey?.()?.id;
      return keyringId !== undefined && (current === undefined || current === keyringId);
    } catch {
      // The keyring is locked, so its key cannot be compared with the kit's.
      return keyringId !== undefined;
    }
  }

  #hasKeyring(): boolean {
    return this.#deps.keyFile.keyring.read() !== undefined;
  }

  /**
   * Makes a draft kit. Until `confirmKit`, the previous kit also decrypts new backups
   * (rules#backup-recovery-kit-draft). The caller has verified the PIN.
   * @throws SealError if the key file cannot be used
   */
  async makeKit({ accountId, staffId }: Author): Promise<RecoveryKit> {
    const { transactor, clock, ids, config, sealer } = this.#deps;
    const phrase = await createPhrase();
    const key = createSealKey(config.dataDir, placeOnce);
    const keyring = this.#findKeyringKey();
    const madeAt = clock.now();
    const kit = await sealKit(phrase, { key, keyring }, { kitId: ids.uuid(), madeAt });
    await transactor.transact(accountId, async (tx) => {
      if (keyring) await sealAgain(tx, sealer);
      await removeKit(tx, accountId, DRAFT);
      const about = { account_id: accountId, kit_id: kit.kitId, key_id: key.id, made_at: madeAt };
      const row = { ...about, is_draft: DRAFT, content_json: JSON.stringify(kit) };
      await tx.insertInto("recovery_kits").values(row).execute();
      const entry = { accountId, staffId, action: "recovery.kit", subject: kit.kitId } as const;
      await recordAudit(tx, { ...entry, at: madeAt });
    });
    return { kitId: kit.kitId, phrase, madeAt: toTimestamp(madeAt) };
  }

  /**
   * Replaces the previous kit by the draft, of which a person has the printed sheet. A repeated
   * call changes nothing.
   * @throws Problem NOT_FOUND if a newer kit replaced the draft
   */
  async confirmKit({ accountId, staffId }: Author, kitId: string): Promise<void> {
    const { transactor, clock } = this.#deps;
    await transactor.transact(accountId, async (tx) => {
      const found = await tx
        .selectFrom("recovery_kits")
        .select("is_draft")
        .where("account_id", "=", accountId)
        .where("kit_id", "=", kitId)
        .executeTakeFirst();
      if (!found) {
        throw new Problem(
          "NOT_FOUND",
          "This recovery sheet is not valid: a newer one was made. The sheet that was confirmed last stays valid.",
        );
      }
      if (found.is_draft === CONFIRMED) return;
      await removeKit(tx, accountId, CONFIRMED);
      await tx
        .updateTable("recovery_kits")
        .set({ is_draft: CONFIRMED })
        .where("account_id", "=", accountId)
        .where("kit_id", "=", kitId)
        .execute();
      const entry = { accountId, staffId, action: "recovery.confirm", subject: kitId } as const;
      await recordAudit(tx, { ...entry, at: clock.now() });
    });
  }

  /** @throws Problem if the shop has a keyring key that this process cannot read */
  #findKeyringKey(): SealKey | undefined {
    try {
      const key = this.#deps.sealer.findKeyringKey?.();
      if (key || !this.#hasKeyring()) return key;
    } catch (error) {
      if (!(error instanceof SealError)) throw error;
      throw new Problem("SYSTEM_UNAVAILABLE", `No recovery sheet was made. ${error.message}`);
    }
    throw new Problem(
      "SYSTEM_UNAVAILABLE",
      "No recovery sheet was made: the desktop app keeps this shop's secrets in its user's keyring. Make the sheet in the desktop app.",
    );
  }

  findReview(): Promise<RestoreReview | undefined> {
    return findReview(this.#deps.db, this.#deps.accountId);
  }

  /** @param staffId the requesting owner, whose own access is not in the review */
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
    const { returned } = review;
    const only = (kind: keyof ReturnedAccess, all: { id: string; name: string }[]) =>
      returned === undefined ? all : all.filter(({ id }) => returned[kind].includes(id));
    return {
      restoredAt: toTimestamp(review.restoredAt),
      takenAt: toTimestamp(review.takenAt),
      people: only("people", people),
      devices: only("devices", devices),
      keys: only("keys", keys),
    };
  }

  /**
   * Ends the review: revokes the given access, and confirms all other. The caller has verified the
   * PIN.
   */
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

async function removeKit(
  tx: Tx,
  accountId: string,
  isDraft: typeof CONFIRMED | typeof DRAFT,
): Promise<void> {
  await tx
    .deleteFrom("recovery_kits")
    .where("account_id", "=", accountId)
    .where("is_draft", "=", isDraft)
    .execute();
}

async function sealAgain(tx: Tx, sealer: Sealer): Promise<void> {
  for (const [table, column] of LASTING_SECRETS) {
    const { rows } = await sql<{ sealed: string }>`
      select ${sql.ref(column)} as sealed from ${sql.table(table)}
      where ${sql.ref(column)} like ${`${DESKTOP_SEAL}%`}`.execute(tx);
    for (const { sealed } of rows) {
      await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${sealer.seal(sealer.open(sealed))}
        where ${sql.ref(column)} = ${sealed}`.execute(tx);
    }
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
