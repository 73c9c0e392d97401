import type { Author } from "../../contract/pos/actor.ts";
import type { MailInput, MailState } from "../../contract/pos/mail.ts";
import { Problem } from "../../contract/problem.ts";
import type { Db, Tx } from "../../db/database.ts";
import type { Transactor } from "../../db/transactor.ts";
import type { JobRun } from "../../jobs/job-runner.ts";
import { enqueueJob } from "../../jobs/job-store.ts";
import { type Clock, DAY, toTimestamp } from "../../lib/clock.ts";
import type { Ids } from "../../lib/ids.ts";
import type { Log } from "../../lib/log.ts";
import type { Sealer } from "../../lib/sealer.ts";
import { recordAudit } from "../audit-trail/index.ts";
import type { ReportFiles } from "../reports/index.ts";
import { type MailServer, sendMail } from "./mail-sender.ts";
import {
  addMail,
  askAgain,
  deleteServer,
  findMail,
  findServer,
  findStuckMails,
  listNewestMails,
  markMail,
  type StoredMail,
  type StoredServer,
  type StuckMails,
  writeServer,
} from "./mail-store.ts";

/** The job that sends a mail; its subject is the account and the mail. */
export const MAIL_JOB = "mail.send";

/** A mail that no server took is given up this long after it was written. */
const GIVE_UP_AFTER_MS = 3 * DAY;
/** So many of the newest are shown. */
const SHOWN = 50;

interface Deps {
  db: Db;
  transactor: Transactor;
  clock: Clock;
  ids: Ids;
  log: Log;
  sealer: Sealer;
  reportFiles: ReportFiles;
}

export interface NewMail {
  accountId: string;
  recipients: readonly string[];
  subject: string;
  body: string;
  /** A file of the reports, and the name that it is sent under. */
  file?: { fileName: string; name: string };
  /** In place of the body: it is made of this when it is sent, and kept nowhere. */
  madeOf?: string;
}

type MailRef = Pick<StoredMail, "accountId" | "mailId">;

/** What a mail holds that is made when it is sent. */
export interface MadeMail {
  text: string;
  attachments?: readonly { name: string; content: Uint8Array }[];
}

/** What became of a mail so far. */
export type MailMark = Pick<StoredMail, "state" | "fault">;

/** Who makes the mails that are made when they are sent. */
export interface MailMaker {
  /** What a mail holds; undefined where there is nothing to send any more. */
  make(madeOf: string): Promise<MadeMail | undefined>;
  /** Writes down what became of it, with the mail's own row. */
  mark(tx: Tx, madeOf: string, mark: MailMark): Promise<void>;
}

/** The shop's own e-mail: a row first, sent by a job, kept as what was sent to whom (rules#figure-mail). */
export class MailService {
  readonly #deps: Deps;
  #maker: MailMaker | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Names who makes the mails that are made when they are sent; once, before jobs run. */
  makeBy(maker: MailMaker): void {
    this.#maker = maker;
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
   * Sets the server. A password that is left out stays: it goes nowhere else, and no less encrypted, than
   * where it was given for.
   * @throws Problem INVALID_REQUEST naming `password` where it has to be given again
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

  /** Mails that no server took since one was sent last; undefined where there is none. */
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

  /**
   * Sends a test mail at once.
   * @throws Problem NOT_FOUND where no server is set
   */
  async sendTest(
    { accountId, staffId }: Author,
    to: string,
  ): Promise<{ isSent: boolean; fault?: string }> {
    const server = await this.#findServer(accountId);
    if (!server) throw new Problem("NOT_FOUND", "No mail server is set yet.");
    const text = "Mail from this Tillgate arrives here.";
    try {
      const mailId = this.#deps.ids.uuid();
      await sendMail(server, { mailId, recipients: [to], subject: "Tillgate", text });
      const { transactor, clock } = this.#deps;
      const entry = { accountId, staffId, action: "mail.test" as const, subject: accountId };
      await transactor.transact(accountId, (tx) =>
        recordAudit(tx, { ...entry, detail: { to }, at: clock.now() }),
      );
      return { isSent: true };
    } catch (error) {
      return { isSent: false, fault: describe(error) };
    }
  }

  /** Writes a mail that is sent once the transaction is on the disk. @returns its id */
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
   * Handles the job. A mail may be handed over twice, where the power goes between the server's answer
   * and its row: both have one message id. A process whose lease on the job is over sends nothing, and says
   * nothing of what became of it but that it went: another may have the job.
   * @throws what kept it from being sent, so that the job is tried again by whichever process has it
   */
  async sendNext(subject: string, run: JobRun): Promise<void> {
    const { db, transactor, clock, log } = this.#deps;
    const [accountId = "", mailId = ""] = subject.split(" ");
    const mail = await findMail(db, { accountId, mailId });
    if (mail?.state !== "WAITING") return;
    try {
      await this.#send(mail, run);
    } catch (error) {
      // Ended here, the job would be gone where nobody has taken it.
      if (!(await run.isOurs())) throw error;
      const fault = describe(error);
      const since = mail.againAt ?? mail.createdAt;
      const isOver = clock.now() - since >= GIVE_UP_AFTER_MS || isRefused(mail, error);
      const state = isOver ? "FAILED" : "WAITING";
      await transactor.transact(mail.accountId, (tx) =>
        this.#mark(tx, mail, { state, fault, sentAt: undefined }),
      );
      if (!isOver) throw error;
      log.error({ mail: mailId, fault }, "a mail could not be sent, and is given up");
      return;
    }
    const sent = { state: "SENT", fault: undefined, sentAt: clock.now() } as const;
    await transactor.transact(mail.accountId, (tx) => this.#mark(tx, mail, sent));
  }

  /**
   * Sends one again that failed, under its own message id.
   * @returns whether it had failed
   */
  async sendAgain(tx: Tx, { accountId, mailId }: MailRef): Promise<boolean> {
    const at = this.#deps.clock.now();
    if (!(await askAgain(tx, { accountId, mailId }, at))) return false;
    await enqueueJob(tx, { kind: MAIL_JOB, subject: `${accountId} ${mailId}`, runAt: at });
    return true;
  }

  async #mark(tx: Tx, mail: StoredMail, mark: MailMark & Pick<StoredMail, "sentAt">) {
    if (!(await markMail(tx, mail, mark))) return;
    if (mail.madeOf !== undefined) await this.#maker?.mark(tx, mail.madeOf, mark);
  }

  /** @throws where it did not go, also since the job may be another process's by now */
  async #send(mail: StoredMail, run: JobRun): Promise<void> {
    const server = await this.#findServer(mail.accountId);
    if (!server) throw new Error("no mail server is set");
    const { fileName, attachmentName = "report.csv", madeOf } = mail;
    const made = madeOf === undefined ? { text: mail.body } : await this.#maker?.make(madeOf);
    if (made === undefined || mail.recipients.length === 0) {
      throw new NothingToSend("There is nothing to send any more.");
    }
    const file = fileName === undefined ? undefined : await this.#deps.reportFiles.open(fileName);
    // What came before may have taken long, and nothing but sending comes after.
    if (!(await run.isOurs())) {
      await file?.close();
      throw new Error("the lease on this mail's job is over");
    }
    const stored = file && { name: attachmentName, content: file.createReadStream() };
    const { text, attachments = [] } = made;
    await sendMail(server, {
      ...mail,
      text,
      attachments: [...attachments, ...(stored ? [stored] : [])],
    });
  }

  async #findServer(accountId: string): Promise<MailServer | undefined> {
    const found = await findServer(this.#deps.db, accountId);
    if (!found) return undefined;
    const { passwordSealed, ...server } = found;
    const password = passwordSealed === undefined ? "" : this.#deps.sealer.open(passwordSealed);
    return { ...server, password };
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

class NothingToSend extends Error {}

/** Whether a customer's mail was refused for good: to the shop itself it is tried again. */
function isRefused({ madeOf }: StoredMail, error: unknown): boolean {
  if (madeOf === undefined) return false;
  if (error instanceof NothingToSend) return true;
  const { code, responseCode = 0 } = error as { code?: string; responseCode?: number };
  return (code === "EENVELOPE" || code === "EMESSAGE") && responseCode >= 500;
}

function describe(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, 500);
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
