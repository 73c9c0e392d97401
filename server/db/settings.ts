import type { Static, TSchema } from "typebox";
import type { Scope } from "./changes.ts";
import type { Db, Tx } from "./database.ts";
import { readColumn } from "./stored-json.ts";

/**
 * A setting of an account or of an environment, or a small state with at most one value there. The
 * module that owns the setting defines its name and its schema.
 */
export interface Setting<Schema extends TSchema, Of extends SettingOwner> {
  readonly name: string;
  readonly schema: Schema;
  /** Set only in types: the owner of the setting. */
  readonly of?: Of;
}

/** The id of an account, or one environment of an account. */
type SettingOwner = string | Scope;

export function accountSetting<Schema extends TSchema>(name: string, schema: Schema) {
  return { name, schema } as Setting<Schema, string>;
}

export function environmentSetting<Schema extends TSchema>(name: string, schema: Schema) {
  return { name, schema } as Setting<Schema, Scope>;
}

/** @returns undefined if the setting was never written, or was deleted */
export async function readSetting<Schema extends TSchema, Of extends SettingOwner>(
  db: Db | Tx,
  of: Of,
  setting: Setting<Schema, Of>,
): Promise<Static<Schema> | undefined> {
  return (await findSetting(db, of, setting))?.value;
}

/** Like `readSetting`, with the encrypted secret that belongs to the setting. */
export async function findSetting<Schema extends TSchema, Of extends SettingOwner>(
  db: Db | Tx,
  of: Of,
  { name, schema }: Setting<Schema, Of>,
): Promise<{ value: Static<Schema>; secretSealed: string | undefined } | undefined> {
  const { account_id, environment } = keyOf(of);
  const row = await db
    .selectFrom("settings")
    .select(["value_json", "secret_sealed"])
    .where("account_id", "=", account_id)
    .where("environment", "=", environment)
    .where("name", "=", name)
    .executeTakeFirst();
  if (!row) return undefined;
  const column = { table: "settings", column: "value_json", row: name } as const;
  const value = readColumn(schema, row.value_json, column);
  return { value, secretSealed: row.secret_sealed ?? undefined };
}

/** Replaces the value and the secret. */
export async function writeSetting<Schema extends TSchema, Of extends SettingOwner>(
  tx: Tx,
  of: Of,
  { name }: Setting<Schema, Of>,
  value: Static<Schema>,
  secretSealed?: string,
): Promise<void> {
  const fresh = { value_json: JSON.stringify(value), secret_sealed: secretSealed ?? null };
  await tx
    .insertInto("settings")
    .values({ ...keyOf(of), name, ...fresh })
    .onConflict((conflict) =>
      conflict.columns(["account_id", "environment", "name"]).doUpdateSet(fresh),
    )
    .execute();
}

/** @returns whether the setting had a value */
export async function deleteSetting<Of extends SettingOwner>(
  tx: Tx,
  of: Of,
  { name }: Setting<TSchema, Of>,
): Promise<boolean> {
  const { account_id, environment } = keyOf(of);
  const { numDeletedRows } = await tx
    .deleteFrom("settings")
    .where("account_id", "=", account_id)
    .where("environment", "=", environment)
    .where("name", "=", name)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

function keyOf(of: SettingOwner) {
  return typeof of === "string"
    ? ({ account_id: of, environment: "both" } as const)
    : { account_id: of.accountId, environment: of.environment };
}
