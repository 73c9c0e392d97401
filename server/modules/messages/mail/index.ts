import type { Readable } from "node:stream";
import type { Author } from "../../../contract/pos/actor.ts";
import type { MailInput, MailState } from "../../../contract/pos/mail.ts";
import { SENDING_FAULTS } from "../../../contract/pos/receipt-pages.ts";
import { Problem } from "../../../contract/problem.ts";
import type { Db, Tx } from "../../../db/database.ts";
import type { App } from "../../../http/app-types.ts";
import { handle } from "../../../http/pos-operations.ts";
import type { JobRun } from "../../../jobs/job-kinds.ts";
import { enqueueJob } from "../../../jobs/job-store.ts";
import { DAY, toTimestamp } from "../../../lib/clock.ts";
import { recordAudit } from "../../books/audit-trail/index.ts";
import type { ReportFiles } from "../../books/reports/index.ts";
import type { Base, Module } from "../../module.ts";
import {
  addMail,
  deleteServer,
  findMail,
  findServer,
  findStuckMails,
  listNewestMails,
  markMail,
  requestAgain,
  type StoredMail,
  type StoredServer,
  type StuckMails,
  writeServer,
} from "./mail-store.ts";

export { deleteServer, eraseRecipients, findServer, writeServer } from "./mail-store.ts";

/** Job that sends a mail. The job's subject names the account and the mail. */
const MAIL_JOB = "mail.send";

const GIVE_UP_AFTER_MS = 3 * DAY;

export interface MadeMail {
  text: string;
  attachments?: readonly { name: string; content: Uint8Array }[];
}

export type MailMark = Pick<StoredMail, "state" | "fault">;

interface MailMaker {
  /** @throws NothingToSend */
  make(madeOf: string): Promise<MadeMail>;
  /** Stores the mail's state in the maker's own row, in the same transaction. */
  mark(tx: Tx, madeOf: string, mark: MailMark): Promise<void>;
}

/** The recipient or the content no longer exists. */
export class NothingToSend extends Error {}

interface ServerFault {
  command?: string;
  responseCode?: number;
  response?: string;
}

/** Reply code of servers that require a sign-in. */
const SIGN_IN_FIRST = 530;
/**
 * Reply of a server that does not accept mails from this shop, for example because the server does
 * not relay (RFC 3463, section 3.8).
 */
const NOT_ALLOWED = /^\d{3}[ -]5\.7\.\d/;

/**
 * Only a refused customer address and missing content are permanent failures. Other refusals
 * concern the server's settings and are retried, as are all mails to the shop itself.
 */
function isPermanentFailure({ madeOf }: StoredMail, error: unknown): boolean {
  if (madeOf === undefined) return false;
  if (error instanceof NothingToSend) return true;
  const { command, responseCode = 0, response = "" } = error as ServerFault;
  return (
    command === "RCPT TO" &&
    responseCode >= 500 &&
    responseCode !== SIGN_IN_FIRST &&
    !NOT_ALLOWED.test(response)
  );
}

function describeFault(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, 500);
}

const SHOWN = 50;

type MailDeps = Base & { reportFiles: ReportFiles };

interface NewMail {
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
  readonly #deps: MailDeps;
  #maker: MailMaker | undefined;

  constructor(deps: MailDeps) {
    this.#deps = deps;
  }

  /** Called once, before jobs run. */
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
    const server = await this.#findServer(accountId);
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

  /**
   * Sends a mail. If the power fails between the server's response and the commit, the mail may be
   * sent twice, with the same message id. A process whose lease has expired sends nothing and
   * stores no failure, because another process may have the job.
   * @throws the error that prevented sending, so that the job is retried
   */
  async sendNext(subject: string, run: JobRun): Promise<void> {
    const { db, transactor, clock, log } = this.#deps;
    const [accountId = "", mailId = ""] = subject.split(" ");
    const mail = await findMail(db, { accountId, mailId });
    if (mail?.state !== "WAITING") return;
    try {
      await this.#send(mail, run);
    } catch (error) {
      // Fail the job instead of completing it: if no other process has the job, it must be retried.
      if (!(await run.isOurs())) throw error;
      const fault = describeFault(error);
      const since = mail.againAt ?? mail.createdAt;
      const isForGood = isPermanentFailure(mail, error);
      const isGivenUp = !isForGood && clock.now() - since >= GIVE_UP_AFTER_MS;
      const isOver = isForGood || isGivenUp;
      const state = isOver ? "FAILED" : "WAITING";
      await transactor.transact(mail.accountId, (tx) =>
        this.#mark(tx, mail, { state, fault, sentAt: undefined, isGivenUp }),
      );
      if (!isOver) throw error;
      log.error({ mail: mailId, fault }, "could not send a mail; no further attempt follows");
      return;
    }
    const sent = {
      state: "SENT",
      fault: undefined,
      sentAt: clock.now(),
      isGivenUp: false,
    } as const;
    await transactor.transact(mail.accountId, (tx) => this.#mark(tx, mail, sent));
  }

  async #mark(tx: Tx, mail: StoredMail, mark: MailMark & Pick<StoredMail, "sentAt" | "isGivenUp">) {
    if (!(await markMail(tx, mail, mark))) return;
    if (mail.madeOf !== undefined) await this.#maker?.mark(tx, mail.madeOf, mark);
  }

  /** @throws if the mail was not sent, or if the lease has expired */
  async #send(mail: StoredMail, run: JobRun): Promise<void> {
    const server = await this.#findServer(mail.accountId);
    if (!server) throw new Error("no mail server is set");
    const { fileName, attachmentName = "report.csv", madeOf } = mail;
    const made = madeOf === undefined ? { text: mail.body } : await this.#maker?.make(madeOf);
    if (made === undefined || mail.recipients.length === 0) {
      throw new NothingToSend(SENDING_FAULTS.NOBODY);
    }
    const file = fileName === undefined ? undefined : await this.#deps.reportFiles.open(fileName);
    // The lease may have expired during the previous steps.
    if (!(await run.isOurs())) {
      await file?.close();
      throw new Error("the lease on the mail's job has expired");
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

export function createMailModule(deps: MailDeps) {
  const mail = new MailService(deps);
  return {
    services: { mail },
    jobs: [{ kind: MAIL_JOB, run: (subject, run) => mail.sendNext(subject, run), concurrency: 1 }],
    pos: (app) => registerMailRoutes(app, mail),
  } satisfies Module;
}

async function registerMailRoutes(app: App, mail: MailService): Promise<void> {
  const { mailOperations } = await import("../../../contract/pos/mail.ts");
  handle(app, mailOperations.get, ({ actor }) => mail.getState(actor.accountId));
  handle(app, mailOperations.set, ({ actor: { accountId, staffId }, body }) =>
    mail.setServer({ accountId, staffId }, body),
  );
  handle(app, mailOperations.remove, async ({ actor: { accountId, staffId } }) => {
    await mail.removeServer({ accountId, staffId });
    return {};
  });
  handle(app, mailOperations.test, ({ actor, body }) => mail.sendTest(actor, body.to));
}

interface MailServer {
  host: string;
  port: number;
  security: "TLS" | "STARTTLS" | "NONE";
  user: string;
  password: string;
  from: string;
}

interface Mail {
  /** The same for all attempts, so that duplicates can be detected. */
  mailId: string;
  recipients: readonly string[];
  subject: string;
  text: string;
  attachments?: readonly Attachment[];
}

interface Attachment {
  name: string;
  content: Readable | Uint8Array;
}

const TIMEOUT_MS = 20_000;

/** @throws the error of the server or of the connection */
async function sendMail(server: MailServer, mail: Mail): Promise<void> {
  const { host, port, security, user, password, from } = server;
  const { createTransport } = await import("nodemailer");
  const transport = createTransport({
    host,
    port,
    secure: security === "TLS",
    requireTLS: security === "STARTTLS",
    ignoreTLS: security === "NONE",
    ...(user !== "" && { auth: { user, pass: password } }),
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
  });
  const { mailId, recipients, subject, text, attachments = [] } = mail;
  try {
    await transport.sendMail({
      from,
      to: [...recipients],
      subject,
      text,
      messageId: `<${mailId}@tillgate.invalid>`,
      attachments: attachments.map(({ name, content }) => ({
        filename: name,
        content: content instanceof Uint8Array ? Buffer.from(content) : content,
      })),
    });
  } finally {
    transport.close();
  }
}
