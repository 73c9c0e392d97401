import type { Selectable } from "kysely";
import { type Static, Type } from "typebox";
import type { Db, Tx } from "../../../db/database.ts";
import { accountSetting, deleteSetting, findSetting, writeSetting } from "../../../db/settings.ts";
import { readColumn } from "../../../db/stored-json.ts";
import type { Tables } from "../../../db/tables.ts";
import { MINUTE, toTimestamp } from "../../../lib/clock.ts";

/** Times are in milliseconds. */
export interface StoredMail {
  accountId: string;
  mailId: string;
  recipients: string[];
  subject: string;
  body: string;
  fileName: string | undefined;
  attachmentName: string | undefined;
  madeOf: string | undefined;
  state: "WAITING" | "SENT" | "FAILED";
  fault: string | undefined;
  createdAt: number;
  sentAt: number | undefined;
  /** Time of the last request to send the mail again. */
  againAt: number | undefined;
  /** True after the shop's server accepted no attempt in time. */
  isGivenUp: boolean;
}

const MAIL_SERVER = accountSetting(
  "mail_server",
  Type.Object({
    host: Type.String(),
    port: Type.Integer(),
    security: Type.Enum(["TLS", "STARTTLS", "NONE"]),
    user: Type.String(),
    from: Type.String(),
  }),
);

export interface StoredServer extends Static<typeof MAIL_SERVER.schema> {
  passwordSealed: string | undefined;
}

export async function findServer(
  db: Db | Tx,
  accountId: string,
): Promise<StoredServer | undefined> {
  const found = await findSetting(db, accountId, MAIL_SERVER);
  return found && { ...found.value, passwordSealed: found.secretSealed };
}

export async function writeServer(
  tx: Tx,
  accountId: string,
  { passwordSealed, ...server }: StoredServer,
): Promise<void> {
  await writeSetting(tx, accountId, MAIL_SERVER, server, passwordSealed);
}

export async function deleteServer(tx: Tx, accountId: string): Promise<void> {
  await deleteSetting(tx, accountId, MAIL_SERVER);
}

export async function addMail(
  tx: Tx,
  mail: Omit<StoredMail, "state" | "fault" | "sentAt" | "againAt" | "isGivenUp">,
): Promise<void> {
  await tx
    .insertInto("mails")
    .values({
      account_id: mail.accountId,
      mail_id: mail.mailId,
      recipients_json: JSON.stringify(mail.recipients),
      subject: mail.subject,
      body: mail.body,
      file_name: mail.fileName ?? null,
      attachment_name: mail.attachmentName ?? null,
      made_of: mail.madeOf ?? null,
      state: "WAITING",
      created_at: mail.createdAt,
      given_up: 0,
    })
    .execute();
}

export async function findMail(
  db: Db | Tx,
  { accountId, mailId }: Pick<StoredMail, "accountId" | "mailId">,
): Promise<StoredMail | undefined> {
  const row = await db
    .selectFrom("mails")
    .selectAll()
    .where("account_id", "=", accountId)
    .where("mail_id", "=", mailId)
    .executeTakeFirst();
  return row && toMail(row);
}

export async function listNewestMails(
  db: Db | Tx,
  accountId: string,
  limit: number,
): Promise<StoredMail[]> {
  const rows = await db
    .selectFrom("mails")
    .selectAll()
    .where("account_id", "=", accountId)
    .orderBy("created_at", "desc")
    .limit(limit)
    .execute();
  return rows.map(toMail);
}

/** A mail with an error that waits longer than this is stuck. */
const STUCK_AFTER_MS = 10 * MINUTE;
const CHECKED_MAILS = 50;

export interface StuckMails {
  waiting: number;
  since: string;
  fault: string;
}

/** Finds stuck mails among the mails that were stored after the last delivered mail. */
export async function findStuckMails(
  db: Db | Tx,
  accountId: string,
  now: number,
): Promise<StuckMails | undefined> {
  const newest = await listNewestMails(db, accountId, CHECKED_MAILS);
  const lastSent = newest.findIndex(({ state }) => state === "SENT");
  const stuck = newest.slice(0, lastSent < 0 ? undefined : lastSent).filter(
    ({ state, fault, createdAt, isGivenUp }) =>
      // A refused customer address is no error of the shop's mail server.
      (state === "FAILED" && isGivenUp) ||
      (state === "WAITING" && fault !== undefined && createdAt <= now - STUCK_AFTER_MS),
  );
  const oldest = stuck.at(-1);
  if (!oldest) return undefined;
  const fault = stuck[0]?.fault ?? "";
  return { waiting: stuck.length, since: toTimestamp(oldest.createdAt), fault };
}

/**
 * Restarts the retry period.
 * @returns whether the mail had failed
 */
export async function requestAgain(
  tx: Tx,
  { accountId, mailId }: Pick<StoredMail, "accountId" | "mailId">,
  at: number,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable("mails")
    .set({ state: "WAITING", fault: null, again_at: at, given_up: 0 })
    .where("account_id", "=", accountId)
    .where("mail_id", "=", mailId)
    .where("state", "=", "FAILED")
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/**
 * SENT and FAILED are final unless the mail is requested again.
 * @returns whether the mail was waiting
 */
export async function markMail(
  tx: Tx,
  mail: Pick<StoredMail, "accountId" | "mailId">,
  mark: Pick<StoredMail, "state" | "fault" | "sentAt" | "isGivenUp">,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable("mails")
    .set({
      state: mark.state,
      fault: mark.fault ?? null,
      sent_at: mark.sentAt ?? null,
      given_up: mark.isGivenUp ? 1 : 0,
    })
    .where("account_id", "=", mail.accountId)
    .where("mail_id", "=", mail.mailId)
    .where("state", "=", "WAITING")
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function eraseRecipients(
  tx: Tx,
  { accountId, mailId }: Pick<StoredMail, "accountId" | "mailId">,
): Promise<void> {
  await tx
    .updateTable("mails")
    .set({ recipients_json: "[]", fault: null })
    .where("account_id", "=", accountId)
    .where("mail_id", "=", mailId)
    .execute();
}

function toMail(row: Selectable<Tables["mails"]>): StoredMail {
  return {
    accountId: row.account_id,
    mailId: row.mail_id,
    recipients: readColumn(Type.Array(Type.String()), row.recipients_json, {
      table: "mails",
      column: "recipients_json",
      row: row.mail_id,
    }),
    subject: row.subject,
    body: row.body,
    fileName: row.file_name ?? undefined,
    attachmentName: row.attachment_name ?? undefined,
    madeOf: row.made_of ?? undefined,
    state: row.state,
    fault: row.fault ?? undefined,
    createdAt: row.created_at,
    sentAt: row.sent_at ?? undefined,
    againAt: row.again_at ?? undefined,
    isGivenUp: row.given_up === 1,
  };
}
