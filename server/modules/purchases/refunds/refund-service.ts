import type { ScopedAuthor } from "../../../contract/pos/actor.ts";
import { Problem } from "../../../contract/problem.ts";
import { businessTime } from "../../../db/business-time.ts";
import type { Scope } from "../../../db/changes.ts";
import type { Db, Tx } from "../../../db/database.ts";
import type { Transactor } from "../../../db/transactor.ts";
import { enqueueJob } from "../../../jobs/job-store.ts";
import { type Clock, DAY } from "../../../lib/clock.ts";
import type { Ids } from "../../../lib/ids.ts";
import { recordAudit } from "../../books/audit-trail/index.ts";
import {
  createTransaction,
  findTransaction,
  type StoredTransaction,
  subjectOf,
} from "../../books/transactions/index.ts";
import type { EsimService } from "../esims/index.ts";
import type { PurchaseOf, PurchaseService } from "../purchases/index.ts";
import { REFUND_JOB } from "./refund-engine.ts";
import { createRefund, findRefundId } from "./refund-store.ts";

/** rules#refund-conditions */
const REFUNDABLE_MS = 30 * DAY;

interface Deps {
  db: Db;
  transactor: Transactor;
  clock: Clock;
  ids: Ids;
  purchases: PurchaseService;
  esims: EsimService;
}

/** Each refund of an eSIM is a CREDIT transaction (rules#refund-credit). */
export class RefundService {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * Accepts a refund, which the engine carries out. Records a person's request in the audit trail.
   * @throws Problem NOT_FOUND, REFUND_NOT_ALLOWED with the reason, SYSTEM_UNAVAILABLE if the
   * provider cannot say whether the eSIM has been used
   */
  async request(author: ScopedAuthor, transactionId: string): Promise<StoredTransaction> {
    const { accountId, environment, staffId } = author;
    const scope = { accountId, environment };
    const { transactor, clock, ids, purchases } = this.#deps;
    const purchase = await purchases.get(scope, "ESIM", transactionId);
    if (await findRefundId(this.#deps.db, scope, transactionId)) await this.#refuseSecond(purchase);
    await this.#check(scope, purchase);
    const ref = { ...scope, transactionId: ids.uuid() };
    return transactor.transact(accountId, async (tx) => {
      const at = await businessTime(tx, scope, clock.now());
      const { amount } = purchase.transaction;
      const unit = purchase.transaction;
      const what = { type: "CREDIT", productType: "REFUND" } as const;
      await createTransaction(tx, { ...ref, ...what, amount, unit, at });
      const first = await createRefund(tx, { ...ref, refundedTransactionId: transactionId });
      if (!first) throw notAllowed("it has been refunded, or is being refunded");
      await enqueueJob(tx, { kind: REFUND_JOB, subject: subjectOf(ref), runAt: clock.now() });
      if (staffId !== undefined) {
        const { currency, currencyDivisor } = unit;
        const detail = { amount, currency, currencyDivisor, environment };
        const subject = `${environment}/${transactionId}`;
        await recordAudit(tx, { accountId, staffId, action: "esim.refund", subject, detail, at });
      }
      return getTransaction(tx, ref);
    });
  }

  /** @throws Problem NOT_FOUND if there is no such purchase, or no refund of the purchase */
  async get(scope: Scope, transactionId: string): Promise<StoredTransaction> {
    const { db, purchases } = this.#deps;
    await purchases.get(scope, "ESIM", transactionId);
    const refundId = await findRefundId(db, scope, transactionId);
    if (refundId === undefined) {
      throw new Problem("NOT_FOUND", `The purchase ${transactionId} has no refund.`);
    }
    return getTransaction(db, { ...scope, transactionId: refundId });
  }

  async #refuseSecond(purchase: PurchaseOf<"ESIM">): Promise<void> {
    const { transaction } = purchase;
    const refund = await this.get(transaction, transaction.transactionId);
    if (refund.status !== "FAILED") throw notAllowed("it has been refunded, or is being refunded");
  }

  async #check(scope: Scope, { transaction, fulfilment }: PurchaseOf<"ESIM">): Promise<void> {
    const { status, finishedAt } = transaction;
    if (status !== "DONE" || finishedAt === undefined) throw notAllowed("it is not done");
    const age = this.#deps.clock.now() - finishedAt;
    if (age > REFUNDABLE_MS) throw notAllowed("it is older than 30 days");
    const { iccid = "" } = fulfilment?.esim ?? {};
    // Without an ICCID, only the provider can decide.
    if (iccid === "") return;
    const { decided } = await this.#deps.esims.readUsage(scope, iccid);
    if (decided?.firstInstalledAt !== undefined) {
      throw notAllowed("the eSIM has been installed");
    }
    // Some providers do not report the time of the installation.
    if (decided?.isPlanUsed) throw notAllowed("a plan of the eSIM has been used");
  }
}

function notAllowed(reason: string): Problem {
  return new Problem("REFUND_NOT_ALLOWED", `The purchase cannot be refunded: ${reason}.`);
}

async function getTransaction(
  db: Db | Tx,
  ref: Parameters<typeof findTransaction>[1],
): Promise<StoredTransaction> {
  const found = await findTransaction(db, ref);
  if (!found) throw new Error(`the refund ${ref.transactionId} has no transaction`);
  return found;
}
