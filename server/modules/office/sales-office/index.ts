import type { Actor } from "../../../contract/pos/actor.ts";
import {
  type OfficeTransactionDetails,
  type RawAnswer,
  type TimelineEvent,
  transactionOfficeOperations,
} from "../../../contract/pos/transaction-office.ts";
import { Problem } from "../../../contract/problem.ts";
import type { Scope } from "../../../db/changes.ts";
import { type Db, readSnapshot } from "../../../db/database.ts";
import { inSameScope, inScope } from "../../../db/scope-filters.ts";
import { handle } from "../../../http/pos-operations.ts";
import { toTimestamp } from "../../../lib/clock.ts";
import { findAudit, recordAudit } from "../../books/audit-trail/index.ts";
import { logOf, type TransactionRef } from "../../books/transactions/index.ts";
import type { PhoneService } from "../../catalog/phone-lookup/index.ts";
import type { Base, Module } from "../../module.ts";
import { findPurchases, findRawAnswer, MOVED_TO } from "../../purchases/purchases/index.ts";
import type { RefundService } from "../../purchases/refunds/index.ts";
import type { ShopService } from "../../shop/shop/index.ts";
import { staffNames } from "../../shop/staff/index.ts";
import { requireFiguresReader } from "../figures/index.ts";
import { findRows, TransactionFinder, type TransactionRow, viewRow } from "./transaction-rows.ts";

const ATTEMPT = /^Attempt(?: \d+)? failed: (?<answer>.*); next attempt at \S+$/;
const MOVE = new RegExp(`^(?<text>.*)${MOVED_TO}(?<provider>.*?)(?<held>\\. Wallet authorized)?$`);

const OF_AUDIT = {
  "sale.reveal": "REVEALED",
  "sale.discount": "DISCOUNT",
  "approval.give": "APPROVED",
} as const;

interface TransactionReaderDeps extends Pick<Base, "db" | "transactor" | "clock"> {
  shop: ShopService;
}

export class TransactionReader {
  readonly #deps: TransactionReaderDeps;

  constructor(deps: TransactionReaderDeps) {
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
      const refund = await listRefundEvents(snapshot, scope, transactionId);
      const timeline = [
        ...(row.sale_id === null ? [] : await listSaleEvents(snapshot, scope, row.sale_id, row)),
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

  /**
   * Returns a raw provider response (rules#provider-answer-read).
   * @throws Problem NOT_FOUND
   */
  async readAnswer(reader: Actor, transactionId: string): Promise<RawAnswer> {
    const { transactor, clock } = this.#deps;
    const { accountId, environment, staffId, rights } = reader;
    const masked = !rights.reveal;
    return transactor.transact(accountId, async (tx) => {
      const answer = await findRawAnswer(tx, { accountId, environment }, transactionId);
      if (!answer) {
        throw new Problem("NOT_FOUND", "No answer of the provider is kept of this sale.");
      }
      const at = toTimestamp(answer.at);
      if (answer.text === undefined) return { state: "ERASED", at };
      if (answer.text === null) return { state: "UNREADABLE", at };
      const sold = await tx
        .selectFrom("sale_lines")
        .select("sale_id")
        .where(inScope({ accountId, environment }))
        .where("transaction_id", "=", transactionId)
        .executeTakeFirst();
      await recordAudit(tx, {
        accountId,
        staffId,
        action: "sale.provider-answer",
        subject: sold?.sale_id ?? transactionId,
        detail: { environment, transactionId, masked },
        at: clock.now(),
      });
      const text = masked ? maskAnswer(answer.text) : answer.text;
      return { state: "KEPT", at, text, masked };
    });
  }
}

function byTime(a: TimelineEvent, b: TimelineEvent): number {
  if (a.at === b.at) return 0;
  return a.at < b.at ? -1 : 1;
}

/**
 * Returns whether a refund can be requested: for a delivered eSIM whose earlier refunds all failed.
 * The provider decides on the refund.
 */
function isRefundable(row: TransactionRow, refund: readonly TimelineEvent[]): boolean {
  const isOpen = refund.some(({ status }) => status !== undefined && status !== "FAILED");
  return row.product_type === "ESIM" && row.status === "DONE" && !isOpen;
}

async function listLogged(db: Db, ref: TransactionRef): Promise<TimelineEvent[]> {
  const events = (await logOf(db, ref)).flatMap(
    ({ loggedAt, status, message }): TimelineEvent[] => {
      const at = toTimestamp(loggedAt);
      const answer = ATTEMPT.exec(message)?.groups?.answer;
      if (answer !== undefined) return [{ at, what: "ANSWER", text: answer }];
      const failure = status === "FAILED" ? { text: message } : {};
      const state: TimelineEvent = { at, what: "STATE", status, ...failure };
      const { text, provider, held } = MOVE.exec(message)?.groups ?? {};
      if (!text || !provider) return [state];
      return [{ at, what: "MOVED", text, provider }, ...(held ? [state] : [])];
    },
  );
  const { accountId, environment, transactionId } = ref;
  const settled = await findAudit(db, {
    accountId,
    action: "reconciliation.settle",
    subject: `${environment}/${transactionId}`,
  });
  if (!settled) return events;
  const { staffId, detail, at } = settled;
  const names = await staffNames(db, accountId, staffId === undefined ? [] : [staffId]);
  const name = names.get(staffId ?? "");
  return [
    ...events,
    {
      at: toTimestamp(at),
      what: "SETTLED",
      outcome: detail.outcome === "delivered" ? "delivered" : "not-delivered",
      ...(name !== undefined && { by: name }),
      ...(detail.note !== "" && { text: String(detail.note) }),
    },
  ];
}
type AuditedAction = keyof typeof OF_AUDIT;

function isAuditedAction(action: string): action is AuditedAction {
  return action in OF_AUDIT;
}

/**
 * Lists refunds to the customer. A refund that was used as payment includes the number of the paid
 * sale.
 */
function listPaymentsBack(db: Db, scope: Scope, transactionId: string) {
  return db
    .selectFrom("customer_refund_lines as l")
    .innerJoin("customer_refunds as r", inSameScope("r", "l", "customer_refund_id"))
    .leftJoin("sales as s", inSameScope("s", "r", "sale_id", "replaced_by"))
    .select(["r.staff_id", "r.created_at", "l.amount", "s.sale_number"])
    .where(inScope(scope, "l"))
    .where("l.transaction_id", "=", transactionId)
    .execute();
}

async function listSaleEvents(
  db: Db,
  scope: Scope,
  saleId: string,
  sold: { transaction_id: string; clerk: string | null; created_at: number; amount: number | null },
): Promise<TimelineEvent[]> {
  const prints = await db
    .selectFrom("prints")
    .select(["staff_id", "printed_at", "copy_number"])
    .where(inScope(scope))
    .where("kind", "=", "SALE")
    .where("subject", "=", saleId)
    .execute();
  const audited = await db
    .selectFrom("audit_trail")
    .select(["staff_id", "action", "recorded_at"])
    .where("account_id", "=", scope.accountId)
    .where("subject", "=", saleId)
    .orderBy("entry_id")
    .execute();
  const back = await listPaymentsBack(db, scope, sold.transaction_id);
  const staffIds = [...prints, ...audited, ...back].flatMap(({ staff_id }) => staff_id ?? []);
  const names = await staffNames(db, scope.accountId, staffIds);
  const by = (staffId: string | null) => {
    const name = names.get(staffId ?? "");
    return name === undefined ? {} : { by: name };
  };
  return [
    {
      at: toTimestamp(sold.created_at),
      what: "SOLD",
      by: sold.clerk ?? "",
      ...(sold.amount !== null && { amount: sold.amount }),
    },
    ...prints.map(
      ({ staff_id, printed_at, copy_number }): TimelineEvent => ({
        at: toTimestamp(printed_at),
        what: "PRINTED",
        ...by(staff_id),
        copy: copy_number,
      }),
    ),
    ...audited.flatMap(({ staff_id, action, recorded_at }): TimelineEvent[] =>
      isAuditedAction(action)
        ? [{ at: toTimestamp(recorded_at), what: OF_AUDIT[action], ...by(staff_id) }]
        : [],
    ),
    ...back.map(
      ({ staff_id, created_at, amount, sale_number }): TimelineEvent => ({
        at: toTimestamp(created_at),
        ...(sale_number === null
          ? { what: "MONEY_BACK" }
          : { what: "PAYMENT_MOVED", saleNumber: sale_number }),
        ...by(staff_id),
        amount,
      }),
    ),
  ];
}

async function listRefundEvents(
  db: Db,
  scope: Scope,
  transactionId: string,
): Promise<TimelineEvent[]> {
  const rows = await db
    .selectFrom("refunds as r")
    .innerJoin("transactions as t", inSameScope("t", "r", "transaction_id"))
    .select(["t.status", "t.updated_at", "t.error_message"])
    .where(inScope(scope, "r"))
    .where("r.refunded_transaction_id", "=", transactionId)
    .execute();
  return rows.map(({ status, updated_at, error_message }) => ({
    at: toTimestamp(updated_at),
    what: "ESIM_REFUND",
    status,
    ...(error_message !== null && { text: error_message }),
  }));
}

const MASK = "•••";

const SHOWN_FIELDS = new Set([
  "transactionId",
  "status",
  "errorCode",
  "productType",
  "createdAt",
  "updatedAt",
]);
const PLAIN = /^(?:[A-Z]+(?:_[A-Z]+)*|\d{4}-\d\d-\d\dT[\d:.]+Z)$/;

/**
 * Masks values that may be a PIN or a code. Any field of a deviating response may contain a PIN or
 * a code, so only known fields with values of a known form stay visible.
 */
function maskAnswer(text: string): string {
  let answer: unknown;
  try {
    answer = JSON.parse(text);
  } catch {
    return MASK;
  }
  return JSON.stringify(mask(answer), undefined, 2);
}

function mask(value: unknown, field = ""): unknown {
  if (Array.isArray(value)) return value.map((one) => mask(one, field));
  if (typeof value === "object" && value !== null) {
    const fields = Object.entries(value);
    return Object.fromEntries(fields.map(([name, one]) => [name, mask(one, name)]));
  }
  if (value === null || typeof value === "boolean" || value === "") return value;
  const isPlain = typeof value === "string" && PLAIN.test(value);
  const isShown = field === "transactionId" || (SHOWN_FIELDS.has(field) && isPlain);
  return isShown ? value : MASK;
}

type SalesOfficeModuleDeps = Base & {
  phones: PhoneService;
  shop: ShopService;
  refunds: RefundService;
};

export function createSalesOfficeModule(deps: SalesOfficeModuleDeps) {
  const finder = new TransactionFinder(deps);
  const reader = new TransactionReader(deps);
  const operations = transactionOfficeOperations;
  return {
    services: {},
    pos(app) {
      handle(app, operations.list, ({ actor, query }) =>
        finder.list(requireFiguresReader(actor), query),
      );
      handle(app, operations.get, ({ actor, params }) =>
        reader.get(requireFiguresReader(actor), params.transactionId),
      );
      handle(app, operations.readAnswer, ({ actor, params }) =>
        reader.readAnswer(actor, params.transactionId),
      );
      handle(app, operations.refundEsim, async ({ actor, params }) => {
        const { accountId, environment, staffId } = actor;
        const author = { accountId, environment, staffId };
        const { transactionId, status } = await deps.refunds.request(author, params.transactionId);
        return { transactionId, status };
      });
    },
  } satisfies Module;
}
