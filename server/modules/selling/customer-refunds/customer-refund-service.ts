import type { Actor } from "../../../contract/pos/actor.ts";
import type {
  CustomerRefundInput,
  CustomerRefundTender,
} from "../../../contract/pos/customer-refunds.ts";
import type { Need } from "../../../contract/pos/rights.ts";
import type { Sale } from "../../../contract/pos/sales.ts";
import type { TenderKind } from "../../../contract/pos/tenders.ts";
import { Problem } from "../../../contract/problem.ts";
import { businessTime } from "../../../db/business-time.ts";
import { recordChange } from "../../../db/changes.ts";
import type { Db } from "../../../db/database.ts";
import type { Transactor } from "../../../db/transactor.ts";
import type { Clock } from "../../../lib/clock.ts";
import { digestOf } from "../../../lib/digest.ts";
import { recordAudit } from "../../books/audit-trail/index.ts";
import type { ShopService } from "../../shop/shop/index.ts";
import { requireRights } from "../../shop/staff/index.ts";
import { readTill, type SoldFrom } from "../../shop/tills/index.ts";
import {
  beyondWhatCame,
  drawerOf,
  factsOfSale,
  findGivenBack,
  listGoneBack,
  type RequireShift,
  readRoundingBack,
  type SaleService,
  splitAsItCame,
  splitByKind,
} from "../sales/index.ts";
import { createCustomerRefund, findCustomerRefund } from "./customer-refund-store.ts";

interface CustomerRefundServiceDeps {
  db: Db;
  transactor: Transactor;
  clock: Clock;
  sales: SaleService;
  shop: Pick<ShopService, "get">;
  requireShift: RequireShift;
}

/**
 * Customer refunds: money of lines that were not delivered, handed back to the customer
 * (rules#customer-refund-once).
 */
export class CustomerRefundService {
  readonly #deps: CustomerRefundServiceDeps;

  constructor(deps: CustomerRefundServiceDeps) {
    this.#deps = deps;
  }

  /**
   * Books a customer refund of lines, once for each. The same refund again changes nothing.
   * @returns the sale as it then stands
   * @throws Problem NOT_FOUND, ID_TAKEN, REFUND_NOT_OWED naming the line, SHIFT_REQUIRED,
   *   APPROVAL_REQUIRED
   */
  async refund(
    seller: Actor,
    saleId: string,
    input: CustomerRefundInput,
    from?: SoldFrom,
  ): Promise<Sale> {
    const { transactor, clock, sales } = this.#deps;
    const { customerRefundId, kind, approvalId } = input;
    const request = { saleId, ...input };
    const requestHash = digestOf(request);
    const sale = await sales.get(seller, saleId);
    // The sale may have been read before it was booked.
    if (await this.#isBooked(seller, customerRefundId, requestHash)) {
      return sales.get(seller, saleId);
    }
    const lines = input.lines.map((id, index) => ({
      transactionId: id,
      amount: owedFor(sale, id, index),
    }));
    const first = kind && (await this.#firstOf(seller, kind));
    await transactor.transact(seller.accountId, async (tx) => {
      if (await findCustomerRefund(tx, seller, customerRefundId)) return;
      // Another may have handed a line's money back meanwhile.
      const refunded = await findGivenBack(tx, seller, [saleId]);
      const taken = input.lines.findIndex((id) => refunded.has(id));
      if (taken >= 0) throw notOwed(taken);
      const shiftId = await drawerOf(this.#deps.requireShift, tx, seller);
      const at = await businessTime(tx, seller, clock.now());
      const paid = lines.reduce((sum, line) => sum + line.amount, 0);
      const cashRounding = await readRoundingBack(tx, seller, saleId, paid);
      const amount = paid + cashRounding;
      const gone = (await listGoneBack(tx, seller, [saleId])).get(saleId) ?? [];
      const money = { paid: sale.tenders, gone };
      const tenders = first ? splitByKind(amount, money, first) : splitAsItCame(amount, money);
      const needs = needsOf(beyondWhatCame(tenders, money));
      const facts = { ...factsOfSale(sale), amount, ...detailOf(tenders) };
      const action = { needs, subject: saleId, request, approvalId, facts, at };
      const approver = await requireRights(tx, seller, action);
      const { accountId, environment, staffId } = seller;
      const unit = { currency: sale.currency, currencyDivisor: sale.currencyDivisor };
      await createCustomerRefund(tx, {
        accountId,
        environment,
        customerRefundId,
        saleId,
        staffId,
        shiftId,
        approvedBy: approver?.staffId,
        tenders,
        cashRounding,
        requestHash,
        lines,
        till: await readTill(tx, seller, from, at),
        at,
      });
      await recordAudit(tx, {
        accountId,
        staffId,
        action: "sale.customer-refund",
        subject: saleId,
        detail: { amount, ...detailOf(tenders), ...unit, environment },
        at,
      });
      // Tills reload the sale.
      const [subject = ""] = input.lines;
      await recordChange(tx, seller, { topic: "purchase", subject, at });
    });
    await this.#isBooked(seller, customerRefundId, requestHash);
    return sales.get(seller, saleId);
  }

  /** The first tender of a kind, as the shop calls it. */
  async #firstOf({ accountId }: Actor, kind: TenderKind) {
    const { tenders } = await this.#deps.shop.get(accountId);
    const name = tenders.find(({ tenderId }) => tenderId === kind)?.name;
    return { kind, ...(name !== undefined && { name }) };
  }

  async #isBooked(seller: Actor, customerRefundId: string, requestHash: string): Promise<boolean> {
    const row = await findCustomerRefund(this.#deps.db, seller, customerRefundId);
    if (row && row.request_hash !== requestHash) {
      throw new Problem("ID_TAKEN", "Another customer refund has this id.", {
        customerRefundId: "is taken",
      });
    }
    return row !== undefined;
  }
}

/**
 * Money that goes back another way than it came also counts as paid out
 * (rules#customer-refund-as-it-came).
 */
function needsOf(beyond: number): Need[] {
  const payOut: Need[] = beyond > 0 ? [{ right: "payOut", asked: beyond }] : [];
  return [{ right: "customerRefund" }, ...payOut];
}

/** Its kind, or the amount by each kind; and the names of tenders that the shop has named. */
function detailOf(tenders: readonly CustomerRefundTender[]): Record<string, string | number> {
  const byKind = new Map<TenderKind, number>();
  for (const { kind, amount } of tenders) byKind.set(kind, (byKind.get(kind) ?? 0) + amount);
  const [only = "CASH", ...others] = byKind.keys();
  const names = tenders.flatMap(({ name }) => name ?? []);
  return {
    ...(others.length === 0 ? { kind: only } : Object.fromEntries(byKind)),
    ...(names.length > 0 && { tender: names.join(", ") }),
  };
}

/** What the customer paid for a line that was not delivered. */
function owedFor(sale: Sale, transactionId: string, index: number): number {
  const line = sale.lines.find((one) => one.transactionId === transactionId);
  if (line?.outcome !== "NOT_DELIVERED" || line.refunded) throw notOwed(index);
  return line.price - line.discount;
}

function notOwed(index: number): Problem {
  return new Problem(
    "REFUND_NOT_OWED",
    "Only the money of a line that was not delivered is handed back, and only once.",
    { [`lines.${index}`]: "is not owed" },
  );
}
