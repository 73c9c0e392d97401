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

/** A mail that no server took is given up this long after it was written. */
const GIVE_UP_AFTER_MS = 3 * DAY;
interface MailDispatcherDeps {
  db: Db;
  transactor: Transactor;
  clock: Clock;
  log: Log;
  sealer: Sealer;
  reportFiles: ReportFiles;
}

/** What a mail holds that is made when it is sent. */
export interface MadeMail {
  text: string;
  attachments?: readonly { name: string; content: Uint8Array }[];
}

/** What became of a mail so far. */
export type MailMark = Pick<StoredMail, "state" | "fault">;

/** Who makes the mails that are made when they are sent. */
export interface MailMaker {
  /** What a mail holds. @throws NothingToSend */
  make(madeOf: string): Promise<MadeMail>;
  /** Writes down what became of it, with the mail's own row. */
  mark(tx: Tx, madeOf: string, mark: MailMark): Promise<void>;
}

/** Takes the mails that are written to the shop's mail server, and writes down what became of them. */
export class MailDispatcher {
  readonly #deps: MailDispatcherDeps;
  #maker: MailMaker | undefined;

  constructor(deps: MailDispatcherDeps) {
    this.#deps = deps;
  }

  /** Names who makes the mails that are made when they are sent; once, before jobs run. */
  makeBy(maker: MailMaker): void {
    this.#maker = maker;
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
      const fault = describeFault(error);
      const since = mail.againAt ?? mail.createdAt;
      const isForGood = isOverForGood(mail, error);
      const isGivenUp = !isForGood && clock.now() - since >= GIVE_UP_AFTER_MS;
      const isOver = isForGood || isGivenUp;
      const state = isOver ? "FAILED" : "WAITING";
      await transactor.transact(mail.accountId, (tx) =>
        this.#mark(tx, mail, { state, fault, sentAt: undefined, isGivenUp }),
      );
      if (!isOver) throw error;
      log.error({ mail: mailId, fault }, "a mail could not be sent, and is given up");
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

  /** @throws where it did not go, also since the job may be another process's by now */
  async #send(mail: StoredMail, run: JobRun): Promise<void> {
    const server = await this.findServer(mail.accountId);
    if (!server) throw new Error("no mail server is set");
    const { fileName, attachmentName = "report.csv", madeOf } = mail;
    const made = madeOf === undefined ? { text: mail.body } : await this.#maker?.make(madeOf);
    if (made === undefined || mail.recipients.length === 0) {
      throw new NothingToSend(SENDING_FAULTS.NOBODY);
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

  /** The shop's server, with its password; undefined where none is set. */
  async findServer(accountId: string): Promise<MailServer | undefined> {
    const found = await findServer(this.#deps.db, accountId);
    if (!found) return undefined;
    const { passwordSealed, ...server } = found;
    const password = passwordSealed === undefined ? "" : this.#deps.sealer.open(passwordSealed);
    return { ...server, password };
  }
}

/** Why there is nothing to send any more. */
export class NothingToSend extends Error {}

interface ServerFault {
  /** What the server was asked when it refused. */
  command?: string;
  responseCode?: number;
  response?: string;
}

/** What a server says to a shop that has not signed in. */
const SIGN_IN_FIRST = 530;
/** That it takes no such mail of this shop at all, as where it relays none: RFC 3463, 5.7. */
const NOT_ALLOWED = /^\d{3}[ -]5\.7\.\d/;

/**
 * Whether a customer's address was refused for good, or there is nothing to send any more. Whatever else a server refuses is between it and the shop, and
 * is tried again; so is a mail to the shop itself.
 */
function isOverForGood({ madeOf }: StoredMail, error: unknown): boolean {
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

/** What a server or a connection said, for its owner. */
export function describeFault(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, 500);
}
