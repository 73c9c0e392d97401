import type {
  OfficeTransactionDetails,
  TimelineEvent,
} from "../../contract/pos/transaction-office.ts";
import { Problem } from "../../contract/problem.ts";
import type { Scope } from "../../db/changes.ts";
import { type Db, readSnapshot } from "../../db/database.ts";
import { findPurchases, findRawAnswer } from "../purchases/index.ts";
import type { ShopService } from "../shop/index.ts";
import { listLogged, listOfEsimRefund, listOfSale } from "./timeline-store.ts";
import { findRows, type TransactionRow, viewRow } from "./transaction-rows.ts";

interface Deps {
  db: Db;
  shop: ShopService;
}

/** One transaction with everything that happened to it. */
export class TransactionReader {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** @throws Problem NOT_FOUND, NOT_SET_UP */
  async get(
    { accountId, environment }: Scope,
    transactionId: string,
  ): Promise<OfficeTransactionDetails> {
    const { db, shop } = this.#deps;
    const scope = { accountId, environment };
    const { currency, currencyDivisor } = await shop.get(accountId);
    return readSnapshot(db, async (snapshot) => {
      const [row] = await findRows(snapshot, scope, [transactionId]);
      if (!row) throw new Problem("NOT_FOUND", "There is no such transaction.");
      const transaction = viewRow(row);
      const [purchase] = await findPurchases(snapshot, scope, [transactionId]);
      const { deviations = [] } = purchase ?? {};
      const answer = await findRawAnswer(snapshot, scope, transactionId);
      const refund = await listOfEsimRefund(snapshot, scope, transactionId);
      const timeline = [
        ...(row.sale_id === null ? [] : await listOfSale(snapshot, scope, row.sale_id, row)),
        ...(await listLogged(snapshot, { ...scope, transactionId })),
        ...refund,
      ];
      return {
        transaction,
        currency: row.currency ?? currency,
        currencyDivisor: row.currency_divisor ?? currencyDivisor,
        timeline: timeline.toSorted(byTime),
        ...(deviations.length > 0 && { deviations: [...deviations] }),
        ...(answer && { rawAnswer: answer.text === undefined ? "ERASED" : "KEPT" }),
        refundableEsim: isRefundable(row, refund),
      };
    });
  }
}

function byTime(a: TimelineEvent, b: TimelineEvent): number {
  if (a.at === b.at) return 0;
  return a.at < b.at ? -1 : 1;
}

/** An eSIM that was delivered and is not refunded; whether it may be is the provider's to say. */
function isRefundable(row: TransactionRow, refund: readonly TimelineEvent[]): boolean {
  const isOpen = refund.some(({ status }) => status !== undefined && status !== "FAILED");
  return row.product_type === "ESIM" && row.status === "DONE" && !isOpen;
}
