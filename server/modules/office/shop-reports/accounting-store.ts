import { perFamily } from "../../../contract/pos/families.ts";
import { AccountingSettings } from "../../../contract/pos/shop-reports.ts";
import type { Db, Tx } from "../../../db/database.ts";
import { accountSetting, readSetting, writeSetting } from "../../../db/settings.ts";

const ACCOUNTING = accountSetting("accounting", AccountingSettings);

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
  return (await readSetting(db, accountId, ACCOUNTING)) ?? NOT_SET;
}

export async function writeAccounting(
  tx: Tx,
  accountId: string,
  settings: AccountingSettings,
): Promise<void> {
  await writeSetting(tx, accountId, ACCOUNTING, settings);
}
