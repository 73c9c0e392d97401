import type { Author } from "../../../contract/pos/actor.ts";
import type { ReceiptPageSettings } from "../../../contract/pos/receipt-pages.ts";
import { Problem } from "../../../contract/problem.ts";
import type { Db, Tx } from "../../../db/database.ts";
import type { Transactor } from "../../../db/transactor.ts";
import type { Clock } from "../../../lib/clock.ts";
import { recordAudit, whatChanged } from "../../books/audit-trail/index.ts";

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
  const row = await db
    .selectFrom("receipt_page_settings")
    .selectAll()
    .where("account_id", "=", accountId)
    .executeTakeFirst();
  if (!row) return NOT_SET;
  return {
    enabled: row.enabled === 1,
    publicUrl: row.public_url,
    keepDays: row.keep_days,
    detailsInMail: row.details_in_mail === 1,
  };
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
  const values = {
    enabled: settings.enabled ? 1 : 0,
    public_url: settings.publicUrl,
    keep_days: settings.keepDays,
    details_in_mail: settings.detailsInMail ? 1 : 0,
  };
  await transactor.transact(accountId, async (tx) => {
    const detail = whatChanged({ ...(await readPageSettings(tx, accountId)) }, { ...settings });
    if (Object.keys(detail).length === 0) return;
    await tx
      .insertInto("receipt_page_settings")
      .values({ account_id: accountId, ...values })
      .onConflict((conflict) => conflict.column("account_id").doUpdateSet(values))
      .execute();
    const entry = { accountId, staffId, subject: accountId, detail, at: clock.now() };
    await recordAudit(tx, { ...entry, action: "receipt.pages" });
  });
  return settings;
}
