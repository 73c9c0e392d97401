import { SENDING_FAULTS } from "../../../contract/pos/receipt-pages.ts";
import type { Db, Tx } from "../../../db/database.ts";
import type { Transactor } from "../../../db/transactor.ts";
import type { JobRun } from "../../../jobs/job-kinds.ts";
import { type Clock, DAY } from "../../../lib/clock.ts";
import type { Log } from "../../../lib/log.ts";
import type { Sealer } from "../../../lib/sealer.ts";
import type { ReportFiles } from "../../books/reports/index.ts";
import { type MailServer, sendMail } from "./mail-sender.ts";
import { findMail, findServer, markMail, type StoredMail } from "./mail-store.ts";

/** Job that sends a mail. The job's subject names the account and the mail. */
export const MAIL_JOB = "mail.send";

const GIVE_UP_AFTER_MS = 3 * DAY;
interface MailDispatcherDeps {
  db: Db;
  transactor: Transactor;
  clock: Clock;
  log: Log;
  sealer: Sealer;
  reportFiles: ReportFiles;
}

export interface MadeMail {
  text: string;
  attachments?: readonly { name: string; content: Uint8Array }[];
}

export type MailMark = Pick<StoredMail, "state" | "fault">;

export interface MailMaker {
  /** @throws NothingToSend */
  make(madeOf: string): Promise<MadeMail>;
  /** Stores the mail's state in the maker's own row, in the same transaction. */
  mark(tx: Tx, madeOf: string, mark: MailMark): Promise<void>;
}

export class MailDispatcher {
  readonly #deps: MailDispatcherDeps;
  #maker: MailMaker | undefined;

  constructor(deps: MailDispatcherDeps) {
    this.#deps = deps;
  }

  /** Called once, before jobs run. */
  makeBy(maker: MailMaker): void {
    this.#maker = maker;
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
    const server = await this.findServer(mail.accountId);
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

  async findServer(accountId: string): Promise<MailServer | undefined> {
    const found = await findServer(this.#deps.db, accountId);
    if (!found) return undefined;
    const { passwordSealed, ...server } = found;
    const password = passwordSealed === undefined ? "" : this.#deps.sealer.open(passwordSealed);
    return { ...server, password };
  }
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

export function describeFault(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, 500);
}
