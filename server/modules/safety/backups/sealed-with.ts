import { sql } from "kysely";
import type { Db } from "../../../db/database.ts";

/** Encrypted columns. Excludes PIN hashes, which also depend on the key. */
export const SEALED_COLUMNS = [
  ["upstreams", "key_sealed"],
  ["upstreams", "hook_secret_sealed"],
  ["webhook_endpoints", "header_value_sealed"],
  ["webhook_endpoints", "secret_sealed"],
  ["webhook_endpoints", "old_secret_sealed"],
  ["webhook_deliveries", "body"],
  ["webhook_attempts", "answer"],
  ["purchases", "details_sealed"],
  ["purchases", "answer_sealed"],
  ["waiting_catalogs", "key_sealed"],
  ["settings", "secret_sealed"],
] as const;

export interface Unreadable {
  /** Number of active people whose PIN cannot be verified. */
  pins: number;
  /** Id of an owner whose PIN cannot be verified, if any. */
  ownerId: string | undefined;
  /** Number of unreadable provider keys, webhook secrets, and PINs and codes of sold items. */
  texts: number;
  /** Number of unreadable texts that the desktop app encrypted with a keyring key. */
  ofKeyring: number;
}

/**
 * Counts values that the present keys cannot decrypt. Slow, because it reads every sale; called
 * only by restores.
 */
export async function findUnreadable(
  db: Db,
  { keyId, keyringId }: { keyId: string | undefined; keyringId?: string | undefined },
): Promise<Unreadable> {
  let texts = 0;
  let ofKeyring = 0;
  for (const [table, column] of SEALED_COLUMNS) {
    const text = sql.ref(column);
    const { rows } = await sql<{ other: number | null; keyring: number | null }>`
      select count(*) filter (where ${text} like '1.%'
          and substr(${text}, 3, 16) is distinct from ${keyId ?? null}) as other,
        count(*) filter (where ${text} like 'desktop.%' or (${text} like 'keyring.%'
          and substr(${text}, 9, 16) is distinct from ${keyringId ?? null})) as keyring
      from ${sql.table(table)}`.execute(db);
    texts += rows[0]?.other ?? 0;
    ofKeyring += rows[0]?.keyring ?? 0;
  }
  const people = await db
    .selectFrom("staff")
    .select(["staff_id", "role"])
    .where("active", "=", 1)
    .where("pin_hash", "like", "hmac-scrypt$%")
    .where("pin_hash", "not like", `hmac-scrypt$${keyId ?? ""}$%`)
    .execute();
  const ownerId = people.find(({ role }) => role === "owner")?.staff_id;
  return { pins: people.length, ownerId, texts, ofKeyring };
}
