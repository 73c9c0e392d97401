import type { Author } from "../../../contract/pos/actor.ts";
import type { MailInput, MailState } from "../../../contract/pos/mail.ts";
import { Problem } from "../../../contract/problem.ts";
import type { Db, Tx } from "../../../db/database.ts";
import type { Transactor } from "../../../db/transactor.ts";
import { enqueueJob } from "../../../jobs/job-store.ts";
import { type Clock, toTimestamp } from "../../../lib/clock.ts";
import type { Ids } from "../../../lib/ids.ts";
import type { Sealer } from "../../../lib/sealer.ts";
import { recordAudit } from "../../books/audit-trail/index.ts";
import { describeFault, MAIL_JOB, type MailDispatcher, type MailMaker } from "./mail-dispatcher.ts";
import { sendMail } from "./mail-sender.ts";
import {
  addMail,
  deleteServer,
  findServer,
  findStuckMails,
  listNewestMails,
  requestAgain,
  type StoredMail,
  type StoredServer,
  type StuckMails,
  writeServer,
} from "./mail-store.ts";

const SHOWN = 50;

interface MailServiceDeps {
  db: Db;
  transactor: Transactor;
  clock: Clock;
  ids: Ids;
  sealer: Sealer;
  dispatcher: MailDispatcher;
}

export interface NewMail {
  accountId: string;
  recipients: readonly string[];
  subject: string;
  body: string;
  file?: { fileName: string; name: string };
  /** The content is composed at sending time from this reference. */
  madeOf?: string;
}

type MailRef = Pick<StoredMail, "accountId" | "mailId">;

/** Mails are stored first, sent by a job, and kept as records (rules#figure-mail). */
export class MailService {
  readonly #deps: MailServiceDeps;

  constructor(deps: MailServiceDeps) {
    this.#deps = deps;
  }

  /** Called once, before jobs run. */
  makeBy(maker: MailMaker): void {
    this.#deps.dispatcher.makeBy(maker);
  }

  async getState(accountId: string): Promise<MailState> {
    const { db } = this.#deps;
    const server = await findServer(db, accountId);
    const mails = await listNewestMails(db, accountId, SHOWN);
    return {
      ...(server && {
        server: {
          host: server.host,
          port: server.port,
          security: server.security,
          user: server.user,
          from: server.from,
          hasPassword: server.passwordSealed !== undefined,
        },
      }),
      list: mails.map(viewMail),
    };
  }

  /**
   * Stores the mail server. Without a password, keeps the stored password if server, user and
   * encryption are unchanged.
   * @throws Problem INVALID_REQUEST naming `password` if the password must be entered again
   */
  async setServer(author: Author, { password, ...server }: MailInput): Promise<MailState> {
    const { db, transactor, clock, sealer } = this.#deps;
    const before = await findServer(db, author.accountId);
    if (password === undefined && before?.passwordSealed !== undefined) {
      requireSamePlace(before, server);
    }
    const given = password === undefined || password === "" ? undefined : sealer.seal(password);
    const passwordSealed = password === undefined ? before?.passwordSealed : given;
    await transactor.transact(author.accountId, async (tx) => {
      await writeServer(tx, author.accountId, { ...server, passwordSealed });
      const { host, port, security, from } = server;
      const detail = { host, port, security, from };
      const entry = { ...author, subject: host, detail, at: clock.now() };
      await recordAudit(tx, { ...entry, action: "mail.server" });
    });
    return this.getState(author.accountId);
  }

  async hasServer(db: Db | Tx, accountId: string): Promise<boolean> {
    return (await findServer(db, accountId)) !== undefined;
  }

  findStuck(accountId: string): Promise<StuckMails | undefined> {
    const { db, clock } = this.#deps;
    return findStuckMails(db, accountId, clock.now());
  }

  async removeServer(author: Author): Promise<void> {
    const { transactor, clock } = this.#deps;
    await transactor.transact(author.accountId, async (tx) => {
      const server = await findServer(tx, author.accountId);
      if (!server) return;
      await deleteServer(tx, author.accountId);
      const entry = { ...author, subject: server.host, at: clock.now() };
      await recordAudit(tx, { ...entry, action: "mail.no-server" });
    });
  }

  /** @throws Problem NOT_FOUND if no mail server is set */
  async sendTest(
    { accountId, staffId }: Author,
    to: string,
  ): Promise<{ isSent: boolean; fault?: string }> {
    const server = await this.#deps.dispatcher.findServer(accountId);
    if (!server) throw new Problem("NOT_FOUND", "No mail server is set yet.");
    const text = "Mail from this Tillgate arrives here.";
    const mailId = this.#deps.ids.uuid();
    const fault = await sendMail(server, {
      mailId,
      recipients: [to],
      subject: "Tillgate",
      text,
    }).then(() => undefined, describeFault);
    const { transactor, clock } = this.#deps;
    const action = fault === undefined ? "mail.test" : "mail.test-failed";
    const detail = { to, ...(fault !== undefined && { fault }) };
    const entry = { accountId, staffId, action, subject: accountId, detail } as const;
    await transactor.transact(accountId, (tx) => recordAudit(tx, { ...entry, at: clock.now() }));
    return fault === undefined ? { isSent: true } : { isSent: false, fault };
  }

  /**
   * Stores a mail, which is sent after the commit.
   * @returns the mail's id
   */
  async write(
    tx: Tx,
    { accountId, recipients, subject, body, file, madeOf }: NewMail,
  ): Promise<string> {
    const { ids, clock } = this.#deps;
    const mailId = ids.uuid();
    const createdAt = clock.now();
    await addMail(tx, {
      accountId,
      mailId,
      recipients: [...recipients],
      subject,
      body,
      fileName: file?.fileName,
      attachmentName: file?.name,
      madeOf,
      createdAt,
    });
    const job = { kind: MAIL_JOB, subject: `${accountId} ${mailId}`, runAt: createdAt };
    await enqueueJob(tx, job);
    return mailId;
  }

  /**
   * Requests another attempt for a failed mail, with the same message id.
   * @returns false if the mail had not failed
   */
  async sendAgain(tx: Tx, { accountId, mailId }: MailRef): Promise<boolean> {
    const at = this.#deps.clock.now();
    if (!(await requestAgain(tx, { accountId, mailId }, at))) return false;
    await enqueueJob(tx, { kind: MAIL_JOB, subject: `${accountId} ${mailId}`, runAt: at });
    return true;
  }
}

/** @throws Problem INVALID_REQUEST */
function requireSamePlace(before: StoredServer, now: Omit<StoredServer, "passwordSealed">): void {
  const { host, port, security, user } = before;
  const isSame =
    host === now.host && port === now.port && security === now.security && user === now.user;
  if (isSame) return;
  throw new Problem("INVALID_REQUEST", "The server is another: give its password.", {
    password: "must be given again for another server, port, encryption or user",
  });
}

function viewMail(mail: StoredMail): MailState["list"][number] {
  const { mailId, recipients, subject, state, createdAt, sentAt, fault } = mail;
  return {
    mailId,
    recipients,
    subject,
    state,
    createdAt: toTimestamp(createdAt),
    ...(sentAt !== undefined && { sentAt: toTimestamp(sentAt) }),
    ...(fault !== undefined && { fault }),
  };
}
