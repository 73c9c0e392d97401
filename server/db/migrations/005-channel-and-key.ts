import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";
import { renewChecksumsOf, whole } from "../migration-words.ts";

/** Columns of the checksum of a purchase before this migration. */
export const CHECKED_BEFORE = [
  ["account_id", "environment"],
  ["transaction_id", "offer_id", "brand", "brand_name", "country", "recipient"],
  ["cost_base", "cost_fee", "price_base", "price_fee", "price_currency"],
  ["price_currency_divisor", "send", "send_currency", "send_currency_divisor"],
  ["value_type", "value", "offer_version", "input_json", "fulfilment_json"],
].flat();
const CHECKED = [
  CHECKED_BEFORE,
  ["key_id", "channel", "shop_cost", "shop_rate", "shop_tax", "tax_rate"],
].flat();

/**
 * Adds the channel of each purchase, and the cost and tax in the shop's currency of purchases
 * through `/v1`. The rate of earlier purchases is unknown, so their cost stays null.
 */
export const migration005: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`alter table purchases add column channel text
      check (channel in ('A', 'B', 'H'))`.execute(db);
    await sql`alter table purchases add column shop_cost ${whole}`.execute(db);
    await sql`alter table purchases add column shop_rate text`.execute(db);
    await sql`alter table purchases add column shop_tax ${whole}`.execute(db);
    await sql`alter table purchases add column tax_rate text`.execute(db);
    await sql`update purchases set channel = 'B'
      where (account_id, environment, transaction_id) in (
        select account_id, environment, transaction_id from bulk_lines
        where sold_at is not null)`.execute(db);
    await sql`update purchases set channel = 'A' where not exists (
      select 1 from sale_lines l where l.account_id = purchases.account_id
        and l.environment = purchases.environment
        and l.transaction_id = purchases.transaction_id)`.execute(db);
    await renewChecksumsOf(db, "purchases", CHECKED, CHECKED_BEFORE);
  },
};
