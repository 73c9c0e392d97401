import { sql } from "kysely";
import { LANGUAGES, type Language } from "../../../contract/pos/setup.ts";
import {
  FIRST_TENDERS,
  type ShopTender,
  StoredTenders,
} from "../../../contract/pos/shop-tenders.ts";
import type { Db, Tx } from "../../../db/database.ts";
import { joinInOrder, jsonTexts } from "../../../db/engine-words.ts";
import { readColumn } from "../../../db/stored-json.ts";

export function toTenders(accountId: string, tenders_json: string): StoredTenders {
  const stored = readColumn(StoredTenders, tenders_json, {
    table: "accounts",
    column: "tenders_json",
    row: accountId,
  });
  return stored.list.length > 0 ? stored : { ...stored, list: [...FIRST_TENDERS] };
}

export async function readTenders(db: Db | Tx, accountId: string): Promise<StoredTenders> {
  const { tenders_json } = await db
    .selectFrom("accounts")
    .select("tenders_json")
    .where("account_id", "=", accountId)
    .executeTakeFirstOrThrow();
  return toTenders(accountId, tenders_json);
}

export async function writeTenders(
  tx: Tx,
  accountId: string,
  tenders: StoredTenders,
): Promise<void> {
  await tx
    .updateTable("accounts")
    .set({ tenders_json: JSON.stringify(tenders) })
    .where("account_id", "=", accountId)
    .execute();
}

/** Returns the shop's language, in which tenders without a name are named. */
export async function readLanguage(db: Db | Tx, accountId: string): Promise<Language> {
  const shop = await db
    .selectFrom("shops")
    .select("language")
    .where("account_id", "=", accountId)
    .executeTakeFirst();
  return LANGUAGES.find((language) => language === shop?.language) ?? "en";
}

/** Returns the ids of tenders that a sale, a refund or an unfinished bulk run uses. */
export async function findUsed(
  db: Db | Tx,
  accountId: string,
  tenders: readonly ShopTender[],
): Promise<ReadonlySet<string>> {
  const ids = jsonTexts(tenders.map(({ tenderId }) => tenderId));
  const { rows } = await sql<{ id: string }>`
    select i.value as id from ${ids} i where exists (
      select 1 from sale_tenders t ${joinInOrder} sales s on s.account_id = t.account_id
        and s.environment = t.environment and s.sale_id = t.sale_id and s.training = 0
      ${joinInOrder} shops h on h.account_id = s.account_id and h.currency = s.currency
      where t.account_id = ${accountId} and t.environment in ('test', 'live')
        and t.tender_id = i.value and t.tender_id <> '')
    or exists (
      select 1 from bulk_runs b where b.account_id = ${accountId} and b.tender_id = i.value)`.execute(
    db,
  );
  return new Set(rows.map(({ id }) => id));
}

export async function readOpeningTenders(db: Db, accountId: string): Promise<ReadonlySet<string>> {
  const { list } = await readTenders(db, accountId);
  return new Set(list.filter((tender) => tender.opensDrawer).map(({ tenderId }) => tenderId));
}
