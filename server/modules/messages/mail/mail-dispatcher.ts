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

/** The job that sends a mail; its subject is the account and the mail. */
export const MAIL_JOB = "mail.send";

/** How long an undelivered mail is retried after its creation. */
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
  /**
   * Returns the content of a mail.
   * @throws NothingToSend
   */
  make(madeOf: string): Promise<MadeMail>;
  /** Stores the state of a mail in the maker's own row, with the mail's row. */
  mark(tx: Tx, madeOf: string, mark: MailMark): Promise<void>;
}

export class MailDispatcher {
  readonly #deps: MailDispatcherDeps;
  #maker: MailMaker | undefined;

  constructor(deps: MailDispatcherDeps) {
    this.#deps = deps;
  }

  /** Sets the maker of composed mails; once, before jobs run. */
  makeBy(maker: MailMaker): void {
    this.#maker = maker;
  }

  /**
   * Handles the job. A mail may be sent twice if the power fails between the server's response and the commit; both
   * copies have one message id. A process whose lease on the job has expired sends nothing and stores no failure,
   * because another process may have the job.
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
      // Without the lease, completing the job would lose the mail if no other process has taken it.
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

  /** @throws if the mail was not sent, or the lease has expired */
  async #send(mail: StoredMail, run: JobRun): Promise<void> {
    const server = await this.findServer(mail.accountId);
    if (!server) throw new Error("no mail server is set");
    const { fileName, attachmentName = "report.csv", madeOf } = mail;
    const made = madeOf === undefined ? { text: mail.body } : await this.#maker?.make(madeOf);
    if (made === undefined || mail.recipients.length === 0) {
      throw new NothingToSend(SENDING_FAULTS.NOBODY);
    }
    const file = fileName === undefined ? undefined : await this.#deps.reportFiles.open(fileName);
    // The steps before may have taken long, so the lease is checked right before sending.
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

/** The mail has no recipient or content any more. */
export class NothingToSend extends Error {}

interface ServerFault {
  /** The SMTP command that the server refused. */
  command?: string;
  responseCode?: number;
  response?: string;
}

/** The server requires a sign-in. */
const SIGN_IN_FIRST = 530;
/** The server does not accept such mails from this shop, such as for relaying. Source: RFC 3463, section 3.8. */
const NOT_ALLOWED = /^\d{3}[ -]5\.7\.\d/;

/**
 * Returns whether a customer's address was refused permanently, or there is nothing to send. All other refusals concern
 * the shop's server settings and are retried; so are mails to the shop itself.
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

/** Returns the message of a server or connection, for the owner. */
export function describeFault(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, 500);
}
