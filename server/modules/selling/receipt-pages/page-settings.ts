import type { Author } from "../../../contract/pos/actor.ts";
import { ReceiptPageSettings } from "../../../contract/pos/receipt-pages.ts";
import { Problem } from "../../../contract/problem.ts";
import type { Db, Tx } from "../../../db/database.ts";
import { accountSetting, readSetting, writeSetting } from "../../../db/settings.ts";
import type { Transactor } from "../../../db/transactor.ts";
import type { Clock } from "../../../lib/clock.ts";
import { recordAudit, whatChanged } from "../../books/audit-trail/index.ts";

const RECEIPT_PAGES = accountSetting("receipt_pages", ReceiptPageSettings);

const NOT_SET: ReceiptPageSettings = {
  enabled: true,
  publicUrl: "",
  keepDays: 30,
  detailsInMail: false,
};

export async function readPageSettings(
  db: Db | Tx,
  accountId: string,
): Promise<ReceiptPageSettings> {
  return (await readSetting(db, accountId, RECEIPT_PAGES)) ?? NOT_SET;
}

/** Whether an owner set a public address (rules#receipt-at-tills-port). */
export async function hasAddress(db: Db | Tx, accountId: string): Promise<boolean> {
  return (await readPageSettings(db, accountId)).publicUrl !== "";
}

/** @throws Problem INVALID_REQUEST naming `publicUrl` */
export async function setPageSettings(
  { transactor, clock }: { transactor: Transactor; clock: Clock },
  author: Author,
  input: ReceiptPageSettings,
): Promise<ReceiptPageSettings> {
  const { accountId, staffId } = author;
  if (input.publicUrl !== "" && !URL.canParse(input.publicUrl)) {
    throw new Problem("INVALID_REQUEST", "The public address is no address.", {
      publicUrl: "must be an address such as https://receipts.shop.example",
    });
  }
  const settings = { ...input, publicUrl: input.publicUrl.replace(/\/+$/, "") };
  await transactor.transact(accountId, async (tx) => {
    const detail = whatChanged({ ...(await readPageSettings(tx, accountId)) }, { ...settings });
    if (Object.keys(detail).length === 0) return;
    await writeSetting(tx, accountId, RECEIPT_PAGES, settings);
    const entry = { accountId, staffId, subject: accountId, detail, at: clock.now() };
    await recordAudit(tx, { ...entry, action: "receipt.pages" });
  });
  return settings;
}
