import { type ReceiptMessage, SENDING_FAULTS } from "../../../contract/pos/receipt-pages.ts";
import type { Scope } from "../../../db/changes.ts";
import type { Db, Tx } from "../../../db/database.ts";
import { enqueueJob } from "../../../jobs/job-store.ts";
import { decodeSubject, encodeSubject } from "../../../jobs/job-subject.ts";
import { toTimestamp } from "../../../lib/clock.ts";
import type { FileSealer } from "../../../lib/sealer.ts";
import { RETRY_DELAYS_MS, type ReceiptMessages } from "../../messages/webhooks/index.ts";
import type { Base } from "../../module.ts";
import type { ShopService } from "../../shop/shop/index.ts";
import type { SaleService } from "../sales/index.ts";
import { findLink, readToken } from "./link-store.ts";
import { addressForAll, PAGE_PREFIX, type ReachDeps, readPageSettings } from "./page-settings.ts";
import { findSending, markSending, type SendingRow } from "./sending-store.ts";

/** Job that posts a message. The job's subject names the sending. */
export const MESSAGE_JOB = "receipt.message";

interface MessageServiceDeps extends ReachDeps, Pick<Base, "db" | "transactor" | "clock"> {
  keyFile: Pick<FileSealer, "derive">;
  sales: SaleService;
  shop: ShopService;
  receiptMessages: ReceiptMessages;
}

/**
 * Posts links to the shop's own system, which sends them to customers' phones
 * (rules#receipt-messages).
 */
export class MessageService {
  readonly #deps: MessageServiceDeps;

  constructor(deps: MessageServiceDeps) {
    this.#deps = deps;
  }

  async findReceiver(db: Db | Tx, { accountId, environment }: Scope): Promise<string | undefined> {
    const settings = await readPageSettings(db, accountId);
    if (!settings.enabled || addressForAll(settings, this.#deps) === "") return undefined;
    const scope = { accountId, environment };
    return (await this.#deps.receiptMessages.findReceiver(db, scope))?.host;
  }

  async enqueue(tx: Tx, scope: Scope, sendingId: string): Promise<void> {
    const subject = encodeSubject(scope, sendingId);
    await enqueueJob(tx, { kind: MESSAGE_JOB, subject, runAt: this.#deps.clock.now() });
  }

  /**
   * Posts a message. If the power fails between the response and the commit, the message may be
   * posted twice with the same id.
   */
  async handOver(subject: string): Promise<void> {
    const { db, transactor, clock, receiptMessages } = this.#deps;
    const { scope, id: sendingId } = decodeSubject(subject);
    const sending = await findSending(db, scope, sendingId);
    if (sending?.state !== "WAITING") return;
    if (sending.recipient === "") return this.#markFailed(sending, SENDING_FAULTS.NOBODY);
    const made = await this.#composeBody(sending);
    if ("fault" in made) return this.#markFailed(sending, SENDING_FAULTS[made.fault]);
    const receiver = await receiptMessages.findReceiver(db, scope);
    if (!receiver) return this.#markFailed(sending, SENDING_FAULTS.NO_WEBHOOK);
    const id = `msg_${sendingId}`;
    const attempt = await receiptMessages.post(receiver, { id, body: made.body });
    if (!attempt) throw new Error("the gateway stopped before the receiver responded");
    await transactor.transact(scope.accountId, async (tx) => {
      const fault = await receiptMessages.note(tx, receiver, attempt);
      const { host } = receiver;
      if (fault === undefined) {
        const taken = { state: "SENT", fault: null, receiver: host } as const;
        return markSending(tx, sending, { ...taken, ended_at: attempt.endedAt });
      }
      const failures = sending.failures + 1;
      const delay_ms = RETRY_DELAYS_MS[failures - 1];
      const isOver = delay_ms === undefined;
      const state = isOver ? "FAILED" : "WAITING";
      const ended_at = isOver ? attempt.endedAt : null;
      await markSending(tx, sending, { state, fault, receiver: host, failures, ended_at });
      if (isOver) return;
      await enqueueJob(tx, { kind: MESSAGE_JOB, subject, runAt: clock.now() + delay_ms });
    });
  }

  async #markFailed(sending: SendingRow, fault: string): Promise<void> {
    const { transactor, clock } = this.#deps;
    const mark = { state: "FAILED", fault, ended_at: clock.now() } as const;
    await transactor.transact(sending.account_id, (tx) => markSending(tx, sending, mark));
  }

  /** Composes the body at sending time, because the link is not stored. */
  async #composeBody(
    sending: SendingRow,
  ): Promise<{ body: string } | { fault: keyof typeof SENDING_FAULTS }> {
    const { db, sales, shop } = this.#deps;
    const { account_id: accountId, environment, sending_id: sendingId, language } = sending;
    const scope = { accountId, environment };
    const link = await findLink(db, { ...scope, linkId: sendingId });
    const settings = await readPageSettings(db, accountId);
    const address = addressForAll(settings, this.#deps);
    const isOff = !settings.enabled || address === "";
    if (isOff || !link || sending.channel === null) return { fault: "LINK_OVER" };
    const read = readToken(link, this.#deps);
    if ("fault" in read) return read;
    const { saleId, saleNumber } = await sales.getForCustomer(scope, sending.sale_id, language);
    const message: ReceiptMessage = {
      event: "receipt.send",
      sendingId,
      saleId,
      saleNumber,
      environment,
      channel: sending.channel,
      to: sending.recipient,
      language,
      shopName: (await shop.get(accountId)).name,
      link: `${address}${PAGE_PREFIX}/${read.token}`,
      linkExpiresAt: toTimestamp(link.expiresAt),
    };
    return { body: JSON.stringify(message) };
  }
}
