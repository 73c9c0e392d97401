import { Type } from "typebox";
import type { Db, Tx } from "../../../db/database.ts";
import { readColumn } from "../../../db/stored-json.ts";
import { MINUTE, toTimestamp } from "../../../lib/clock.ts";

/** A mail as it is kept; instants in milliseconds. */
export interface StoredMail {
  accountId: string;
  mailId: string;
  recipients: string[];
  subject: string;
  body: string;
  fileName: string | undefined;
  attachmentName: string | undefined;
  /** What its text is made of when it is sent. */
  madeOf: string | undefined;
  state: "WAITING" | "SENT" | "FAILED";
  fault: string | undefined;
  createdAt: number;
  sentAt: number | undefined;
  /** When it was last asked for again, after it had failed. */
  againAt: number | undefined;
  /** Whether it failed because the shop's server did not take it in all its time. */
  isGivenUp: boolean;
}

/** The server of an account's mail, with its password sealed. */
export interface StoredServer {
  host: string;
  port: number;
  security: "TLS" | "STARTTLS" | "NONE";
  user: string;
  passwordSealed: string | undefined;
  from: string;
}

export async function findServer(
  db: Db | Tx,
  accountId: string,
): Promise<StoredServer | undefined> {
  const row = await db
    .selectFrom("mail_servers")
    .selectAll()
    .where("account_id", "=", accountId)
    .executeTakeFirst();
  return (
    row && {
      host: row.host,
      port: row.port,
      security: row.security,
      user: row.user_name,
      passwordSealed: row.password_sealed ?? undefined,
      from: row.from_address,
    }
  );
}

export async function writeServer(tx: Tx, accountId: string, server: StoredServer): Promise<void> {
  const values = {
    host: server.host,
    port: server.port,
    security: server.security,
    user_name: server.user,
    password_sealed: server.passwordSealed ?? null,
    from_address: server.from,
  };
  await tx
    .insertInto("mail_servers")
    .values({ account_id: accountId, ...values })
    .onConflict((conflict) => conflict.column("account_id").doUpdateSet(values))
    .execute();
}

export async function deleteServer(tx: Tx, accountId: string): Promise<void> {
  await tx.deleteFrom("mail_servers").where("account_id", "=", accountId).execute();
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

/** The newest mails, those that were just asked for first. */
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

/** A mail that waits no longer than this is on its way. */
const STUCK_AFTER_MS = 10 * MINUTE;
/** So many of the newest say whether mail goes. */
const LOOKED_AT = 50;

/** Mails that did not go: how many, since when, and why the newest of them did not. */
export interface StuckMails {
  waiting: number;
  since: string;
  fault: string;
}

/** What was written since the last that was sent, and did not go. */
export async function findStuckMails(
  db: Db | Tx,
  accountId: string,
  now: number,
): Promise<StuckMails | undefined> {
  const newest = await listNewestMails(db, accountId, LOOKED_AT);
  const lastSent = newest.findIndex(({ state }) => state === "SENT");
  const stuck = newest.slice(0, lastSent < 0 ? undefined : lastSent).filter(
    ({ state, fault, createdAt, isGivenUp }) =>
      // A customer's address that was refused says nothing of the shop's mail.
      (state === "FAILED" && isGivenUp) ||
      (state === "WAITING" && fault !== undefined && createdAt <= now - STUCK_AFTER_MS),
  );
  const oldest = stuck.at(-1);
  if (!oldest) return undefined;
  const fault = stuck[0]?.fault ?? "";
  return { waiting: stuck.length, since: toTimestamp(oldest.createdAt), fault };
}

/** FAILED → WAITING: it is tried as long as a new one. @returns whether it had failed */
export async function askAgain(
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
 * WAITING → SENT or FAILED, final unless it is asked for again; or what went wrong while it still waits.
 * @returns whether it waited still
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

/** Forgets whom a mail went to, and what its server said of them. */
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

interface MailRow {
  account_id: string;
  mail_id: string;
  recipients_json: string;
  subject: string;
  body: string;
  file_name: string | null;
  attachment_name: string | null;
  made_of: string | null;
  state: StoredMail["state"];
  fault: string | null;
  created_at: number;
  sent_at: number | null;
  again_at: number | null;
  given_up: number;
}

function toMail(row: MailRow): StoredMail {
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
