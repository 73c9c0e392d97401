import { perFamily } from "../../../contract/pos/families.ts";
import { AccountingSettings } from "../../../contract/pos/shop-reports.ts";
import type { Db, Tx } from "../../../db/database.ts";
import { readColumn } from "../../../db/stored-json.ts";

const NOT_SET: AccountingSettings = {
  sales: perFamily(""),
  accounts: {
    TAX: "",
    CASH: "",
    CARD: "",
    OTHER: "",
    OWED: "",
    REFUNDS_DUE: "",
    SAFE: "",
    BANK: "",
    PAY_IN: "",
    PAY_OUT: "",
    DRAWER_DIFFERENCE: "",
    CASH_ROUNDING: "",
    COST: "",
    WALLET: "",
    CLEARING: "",
  },
  xeroTaxRate: "",
  datev: { consultant: 0, client: 0, yearBegins: "01-01", accountLength: 4 },
};

export async function readAccounting(db: Db | Tx, accountId: string): Promise<AccountingSettings> {
  const row = await db
    .selectFrom("accounting_settings")
    .select("settings_json")
    .where("account_id", "=", accountId)
    .executeTakeFirst();
  if (!row) return NOT_SET;
  return readColumn(AccountingSettings, row.settings_json, {
    table: "accounting_settings",
    column: "settings_json",
    row: accountId,
  });
}

export async function writeAccounting(
  tx: Tx,
  accountId: string,
  settings: AccountingSettings,
): Promise<void> {
  const settings_json = JSON.stringify(settings);
  await tx
    .insertInto("accounting_settings")
    .values({ account_id: accountId, settings_json })
    .onConflict((conflict) => conflict.column("account_id").doUpdateSet({ settings_json }))
    .execute();
}
