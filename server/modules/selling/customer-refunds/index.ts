import type { Selectable } from "kysely";
import type { Actor } from "../../../contract/pos/actor.ts";
import type { Need } from "../../../contract/pos/rights.ts";
import type {
  CustomerRefundInput,
  CustomerRefundTender,
  ReplacementInput,
  Sale,
} from "../../../contract/pos/sales.ts";
import type { TenderInput, TenderKind } from "../../../contract/pos/tenders.ts";
import { Problem } from "../../../contract/problem.ts";
import { businessTime } from "../../../db/business-time.ts";
import { recordChange, type Scope } from "../../../db/changes.ts";
import type { Db, Tx } from "../../../db/database.ts";
import { clearOwed } from "../../../db/returned-lines.ts";
import { findInScope, inScope } from "../../../db/scope-filters.ts";
import type { Tables } from "../../../db/tables.ts";
import type { App } from "../../../http/app-types.ts";
import { placeOf } from "../../../http/device-cookie.ts";
import { handle } from "../../../http/pos-operations.ts";
import { digestOf } from "../../../lib/digest.ts";
import { recordAudit } from "../../books/audit-trail/index.ts";
import type { Base, Module } from "../../module.ts";
import type { ShopService } from "../../shop/shop/index.ts";
import { readOpeningTenders } from "../../shop/shop-tenders/index.ts";
import { requireRights } from "../../shop/staff/index.ts";
import { readTill, type SoldFrom } from "../../shop/tills/index.ts";
import {
  beyondWhatCame,
  describeSale,
  findDrawerShift,
  findGivenBack,
  listGoneBack,
  type RequireShift,
  readRoundingBack,
  type SaleService,
  splitAsItCame,
  splitByKind,
} from "../sales/index.ts";

interface CustomerRefundServiceDeps extends Pick<Base, "db" | "transactor" | "clock"> {
  sales: SaleService;
  shop: Pick<ShopService, "get">;
  requireShift: RequireShift;
}

/** Pays the price of failed lines back to the customer (rules#customer-refund-once). */
class CustomerRefundService {
  readonly #deps: CustomerRefundServiceDeps;

  constructor(deps: CustomerRefundServiceDeps) {
    this.#deps = deps;
  }

  /**
   * Refunds lines of a sale. A repeated request changes nothing.
   * @returns the sale after the refund
   * @throws Problem NOT_FOUND, ID_TAKEN, REFUND_NOT_OWED naming the line, SHIFT_REQUIRED,
   * APPROVAL_REQUIRED
   */
  async refund(
    seller: Actor,
    saleId: string,
    input: CustomerRefundInput,
    from?: SoldFrom,
  ): Promise<Sale> {
    const { transactor, sales } = this.#deps;
    const { customerRefundId, kind, approvalId } = input;
    const request = { saleId, ...input };
    const requestHash = digestOf(request);
    const sale = await sales.get(seller, saleId);
    // A simultaneous request may have booked the refund.
    if (await this.#isBooked(seller, customerRefundId, requestHash)) {
      return sales.get(seller, saleId);
    }
    const lines = input.lines.map((id, index) => ({
      transactionId: id,
      amount: owedFor(sale, id, index),
    }));
    const first = kind && (await this.#findFirstTender(seller, kind));
    const refund = { customerRefundId, request, requestHash, approvalId, lines, first, from };
    await transactor.transact(seller.accountId, (tx) => this.#book(tx, seller, sale, refund));
    return sales.get(seller, saleId);
  }

  /**
   * Sells an undelivered line again with corrected data. The line's refund pays for the new sale,
   * in one transaction (rules#replacement-once). A repeated request changes nothing.
   * @returns the new sale
   * @throws Problem the errors of a refund and of a sale; TENDER_SHORT if the corrected line costs
   * more
   */
  async replace(
    seller: Actor,
    saleId: string,
    input: ReplacementInput,
    from?: SoldFrom,
  ): Promise<Sale> {
    const { db, sales } = this.#deps;
    const { customerRefundId, replacementId, replaces, line, approvalId } = input;
    const request = { saleId, ...input };
    const requestHash = digestOf(request);
    const sale = await sales.get(seller, saleId);
    if (await this.#isBooked(seller, customerRefundId, requestHash)) {
      return sales.get(seller, replacementId);
    }
    const amount = owedFor(sale, replaces, 0);
    const paid = amount + (await readRoundingBack(db, seller, saleId, amount));
    const gone = (await listGoneBack(db, seller, [saleId])).get(saleId) ?? [];
    const money = splitAsItCame(paid, { paid: sale.tenders, gone });
    const lines = [{ transactionId: replaces, amount }];
    const refund = { customerRefundId, request, requestHash, approvalId, lines, from };
    const { environment, training } = sale;
    const sold = { saleId: replacementId, environment, training, lines: [line] };
    return sales.sell(
      seller,
      { ...sold, tenders: money.map(tenderAgain) },
      {
        ...(from !== undefined && { from }),
        isPaidBefore: true,
        within: (tx) => this.#book(tx, seller, sale, { ...refund, replacedBy: replacementId }),
      },
    );
  }

  /**
   * Books a refund. A repeated request changes nothing.
   * @throws Problem ID_TAKEN for another request with the same id; the error undoes the
   * transaction, so that one refund pays for one sale
   */
  async #book(tx: Tx, seller: Actor, sale: Sale, refund: WantedRefund): Promise<void> {
    const { customerRefundId, request, requestHash, approvalId, lines, first, from } = refund;
    const { saleId } = sale;
    if (await this.#isBooked(seller, customerRefundId, requestHash, tx)) return;
    // A simultaneous request may have refunded a line.
    const refunded = await findGivenBack(tx, seller, [saleId]);
    const taken = lines.findIndex(({ transactionId }) => refunded.has(transactionId));
    if (taken >= 0) throw notOwed(taken);
    const shiftId = await findDrawerShift(this.#deps.requireShift, tx, seller);
    const at = await businessTime(tx, seller, this.#deps.clock.now());
    const paid = lines.reduce((sum, line) => sum + line.amount, 0);
    const cashRounding = await readRoundingBack(tx, seller, saleId, paid);
    const amount = paid + cashRounding;
    const gone = (await listGoneBack(tx, seller, [saleId])).get(saleId) ?? [];
    const money = { paid: sale.tenders, gone };
    const tenders = first ? splitByKind(amount, money, first) : splitAsItCame(amount, money);
    const needs = listNeeds(beyondWhatCame(tenders, money));
    const facts = { ...describeSale(sale), amount, ...toAuditDetail(tenders) };
    const action = { needs, subject: saleId, request, approvalId, facts };
    const now = this.#deps.clock.now();
    const approver = await requireRights(tx, seller, { ...action, at: now });
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
      replacedBy: refund.replacedBy,
      lines,
      till: await readTill(tx, seller, from, at),
      at,
    });
    await recordAudit(tx, {
      accountId,
      staffId,
      action: "sale.customer-refund",
      subject: saleId,
      detail: {
        amount,
        ...toAuditDetail(tenders),
        ...unit,
        environment,
        ...(refund.replacedBy !== undefined && { replacement: refund.replacedBy }),
      },
      at,
    });
    await recordChange(tx, seller, {
      topic: "purchase",
      subject: lines[0]?.transactionId ?? "",
      at,
    });
  }

  async #findFirstTender({ accountId }: Actor, kind: TenderKind) {
    const { tenders } = await this.#deps.shop.get(accountId);
    const name = tenders.find(({ tenderId }) => tenderId === kind)?.name;
    return { kind, ...(name !== undefined && { name }) };
  }

  async #isBooked(
    seller: Actor,
    customerRefundId: string,
    requestHash: string,
    db: Db | Tx = this.#deps.db,
  ): Promise<boolean> {
    const row = await findCustomerRefund(db, seller, customerRefundId);
    if (row && row.request_hash !== requestHash) {
      throw new Problem("ID_TAKEN", "Another customer refund has this id.", {
        customerRefundId: "is taken",
      });
    }
    return row !== undefined;
  }
}

interface WantedRefund {
  customerRefundId: string;
  /** An approval covers exactly this request. */
  request: object;
  requestHash: string;
  approvalId: string | undefined;
  lines: { transactionId: string; amount: number }[];
  first?: Omit<CustomerRefundTender, "amount"> | undefined;
  from: SoldFrom | undefined;
  /** The sale that the money pays for; undefined if the customer gets the money. */
  replacedBy?: string;
}

function tenderAgain({ kind, tenderId, amount }: CustomerRefundTender): TenderInput {
  return kind === "CASH"
    ? { kind, tendered: amount }
    : { kind, ...(tenderId !== undefined && { tenderId }), amount };
}

/**
 * Requires the pay-out permission for an amount that is refunded by another tender
 * (rules#customer-refund-as-it-came).
 */
function listNeeds(beyond: number): Need[] {
  const payOut: Need[] = beyond > 0 ? [{ right: "payOut", asked: beyond }] : [];
  return [{ right: "customerRefund" }, ...payOut];
}

function toAuditDetail(tenders: readonly CustomerRefundTender[]): Record<string, string | number> {
  const byKind = new Map<TenderKind, number>();
  for (const { kind, amount } of tenders) byKind.set(kind, (byKind.get(kind) ?? 0) + amount);
  const [only = "CASH", ...others] = byKind.keys();
  const names = tenders.flatMap(({ name }) => name ?? []);
  return {
    ...(others.length === 0 ? { kind: only } : Object.fromEntries(byKind)),
    ...(names.length > 0 && { tender: names.join(", ") }),
  };
}

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

type CustomerRefundRow = Selectable<Tables["customer_refunds"]>;

interface NewCustomerRefund extends Scope {
  customerRefundId: string;
  saleId: string;
  staffId: string;
  /** Undefined in training. */
  shiftId: string | undefined;
  approvedBy: string | undefined;
  /** Sum of the lines plus the cash rounding. */
  tenders: readonly CustomerRefundTender[];
  cashRounding: number;
  requestHash: string;
  replacedBy: string | undefined;
  /** Prices that the customer paid, in minor units of the sale's currency. */
  lines: { transactionId: string; amount: number }[];
  till: string;
  at: number;
}

/** Inserts a refund. A line that was refunded before causes a duplicate-key error. */
async function createCustomerRefund(tx: Tx, customerRefund: NewCustomerRefund): Promise<void> {
  const { accountId: account_id, environment, lines, tenders } = customerRefund;
  const scoped = { account_id, environment };
  await tx
    .insertInto("customer_refunds")
    .values({
      ...scoped,
      customer_refund_id: customerRefund.customerRefundId,
      sale_id: customerRefund.saleId,
      staff_id: customerRefund.staffId,
      approved_by: customerRefund.approvedBy ?? null,
      amount: lines.reduce((sum, { amount }) => sum + amount, 0),
      cash_rounding: customerRefund.cashRounding,
      request_hash: customerRefund.requestHash,
      created_at: customerRefund.at,
      shift_id: customerRefund.shiftId ?? null,
      till: customerRefund.till,
      replaced_by: customerRefund.replacedBy ?? null,
    })
    .execute();
  await tx
    .insertInto("customer_refund_lines")
    .values(
      lines.map(({ transactionId, amount }) => ({
        ...scoped,
        transaction_id: transactionId,
        customer_refund_id: customerRefund.customerRefundId,
        sale_id: customerRefund.saleId,
        amount,
      })),
    )
    .execute();
  await clearOwed(
    tx,
    customerRefund,
    lines.map(({ transactionId }) => transactionId),
  );
  if (tenders.length === 0) return;
  await tx
    .insertInto("customer_refund_tenders")
    .values(
      tenders.map(({ kind, tenderId, name, amount }) => ({
        ...scoped,
        customer_refund_id: customerRefund.customerRefundId,
        kind,
        tender_id: tenderId ?? "",
        tender_name: name ?? "",
        amount,
      })),
    )
    .execute();
}

function listWays(db: Db, scope: Scope, customerRefundId: string) {
  return db
    .selectFrom("customer_refund_tenders")
    .select(["kind", "tender_id"])
    .where(inScope(scope))
    .where("customer_refund_id", "=", customerRefundId)
    .execute();
}

async function findCustomerRefund(
  db: Db | Tx,
  scope: Scope,
  customerRefundId: string,
): Promise<CustomerRefundRow | undefined> {
  return findInScope(db, "customer_refunds", scope, { customer_refund_id: customerRefundId });
}

export async function findDrawerCustomerRefund(
  db: Db,
  scope: Scope,
  customerRefundId: string,
): Promise<{ staffId: string; at: number } | undefined> {
  const row = await findCustomerRefund(db, scope, customerRefundId);
  if (!row) return undefined;
  const opens = await readOpeningTenders(db, scope.accountId);
  const ways = await listWays(db, scope, customerRefundId);
  const isOpening = ways.some(({ kind, tender_id }) => opens.has(tender_id || kind));
  return isOpening ? { staffId: row.staff_id, at: row.created_at } : undefined;
}

type CustomerRefundsModuleDeps = Base & {
  sales: SaleService;
  shop: ShopService;
  requireShift: RequireShift;
};

export function createCustomerRefundsModule(deps: CustomerRefundsModuleDeps) {
  const customerRefunds = new CustomerRefundService(deps);
  return {
    services: { customerRefunds },
    pos: (app) => registerCustomerRefundRoutes(app, customerRefunds),
  } satisfies Module;
}

async function registerCustomerRefundRoutes(
  app: App,
  customerRefunds: CustomerRefundService,
): Promise<void> {
  const { saleOperations } = await import("../../../contract/pos/sales.ts");
  handle(app, saleOperations.customerRefund, ({ actor, params, body, request }) =>
    customerRefunds.refund(actor, params.saleId, body, placeOf(request)),
  );
  handle(app, saleOperations.replace, ({ actor, params, body, request }) =>
    customerRefunds.replace(actor, params.saleId, body, placeOf(request)),
  );
}
