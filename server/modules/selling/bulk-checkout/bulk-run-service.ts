import { Type } from "typebox";
import type { Actor } from "../../../contract/pos/actor.ts";
import {
  type BulkConfirmInput,
  BulkFault,
  type BulkLine,
  type BulkLines,
  type BulkLinesQuery,
  type BulkRun,
  type BulkRunInput,
  type BulkRunList,
  BulkWarning,
} from "../../../contract/pos/bulk-runs.ts";
import { tidyName } from "../../../contract/pos/name.ts";
import { WantedLine } from "../../../contract/pos/sale-lines.ts";
import { Problem } from "../../../contract/problem.ts";
import type { Scope } from "../../../db/changes.ts";
import { type Db, readSnapshot, type Tx } from "../../../db/database.ts";
import { readColumn } from "../../../db/stored-json.ts";
import { cancelJob, enqueueJob } from "../../../jobs/job-store.ts";
import { encodeSubject } from "../../../jobs/job-subject.ts";
import { toTimestamp } from "../../../lib/clock.ts";
import { digestOf } from "../../../lib/digest.ts";
import { recordAudit } from "../../books/audit-trail/index.ts";
import { getBalances } from "../../books/wallet/index.ts";
import { formatPhoneNumber } from "../../catalog/phone-lookup/index.ts";
import type { Base } from "../../module.ts";
import { findPurchases } from "../../purchases/purchases/index.ts";
import type { RequireEnvironment, Shop, ShopService } from "../../shop/shop/index.ts";
import { staffNames } from "../../shop/staff/index.ts";
import { getOutcome, type RequireShift, requireTender, requireWallet } from "../sales/index.ts";
import { CHECK_JOB } from "./bulk-checker.ts";
import {
  requireNoTraining,
  requireRight,
  requireTotal,
  requireVisible,
  soldBefore,
  toScope,
} from "./bulk-rules.ts";
import {
  type BulkLineRow,
  type BulkRunRow,
  changeReady,
  createRun,
  findRun,
  findSoldBefore,
  forgetUnconfirmed,
  getRun,
  listLines,
  listRuns,
  moveRun,
  runChanged,
  type StateSum,
  sumOutcomes,
  sumStates,
  sumUnheld,
} from "./bulk-run-store.ts";
import { SELL_JOB } from "./bulk-seller.ts";
import { readTable } from "./bulk-table.ts";

const NONE: Omit<StateSum, "state"> = {
  lines: 0,
  warned: 0,
  repriced: 0,
  price: 0,
  priceNow: 0,
  repricedBefore: 0,
  repricedNow: 0,
  cost: 0,
};

interface BulkRunServiceDeps extends Pick<Base, "db" | "transactor" | "clock"> {
  shop: ShopService;
  requireShift: RequireShift;
  requireEnvironment: RequireEnvironment;
}

const RUNS_LISTED = 50;

/** Jobs check a run's file. After one confirmation, jobs sell its lines (rules#bulk-states). */
export class BulkRunService {
  readonly #deps: BulkRunServiceDeps;

  constructor(deps: BulkRunServiceDeps) {
    this.#deps = deps;
  }

  /**
   * Stores a file as a new run, and deletes the person's earlier unconfirmed upload.
   * @throws Problem BULK_FILE_FAULT, ID_TAKEN, ENVIRONMENT_CHANGED in training
   */
  async create(actor: Actor, { runId, name, text }: BulkRunInput): Promise<BulkRun> {
    const { transactor, clock, db } = this.#deps;
    requireNoTraining(actor);
    const request_hash = digestOf({ name, text });
    const known = await findRun(db, actor, runId);
    const lines = known ? [] : readTable(text);
    const { accountId, environment, staffId } = actor;
    await transactor.transact(accountId, async (tx) => {
      const earlier = await findRun(tx, actor, runId);
      if (earlier?.request_hash === request_hash) return;
      if (earlier) {
        throw new Problem("ID_TAKEN", "Another run has this id.", { runId: "is taken" });
      }
      await forgetUnconfirmed(tx, actor, staffId);
      const at = clock.now();
      const run = { run_id: runId, name: tidyName(name), staff_id: staffId, request_hash };
      const open = {
        state: "CHECKING",
        pause: null,
        digest: null,
        tender: null,
        tender_id: "",
      } as const;
      const ends = { reference: null, created_at: at, confirmed_at: null, ended_at: null };
      await createRun(tx, { accountId, environment, ...run, ...open, ...ends }, lines);
      await enqueueJob(tx, { kind: CHECK_JOB, subject: encodeSubject(actor, runId), runAt: at });
    });
    return this.get(actor, runId);
  }

  async list(actor: Actor): Promise<BulkRunList> {
    if (actor.training) return { list: [] };
    return readSnapshot(this.#deps.db, async (snapshot) => {
      const rows = await listRuns(snapshot, actor, RUNS_LISTED);
      const names = await staffNames(
        snapshot,
        actor.accountId,
        rows.map((row) => row.staff_id),
      );
      const list: BulkRunList["list"] = [];
      for (const row of rows) {
        const states = await sumStates(snapshot, { ...toScope(actor), runId: row.run_id });
        list.push({
          runId: row.run_id,
          name: row.name,
          state: row.state,
          ...(row.pause !== null && { pause: row.pause }),
          createdAt: toTimestamp(row.created_at),
          lines: states.reduce((sum, { lines }) => sum + lines, 0),
          staff: names.get(row.staff_id) ?? "",
        });
      }
      return { list };
    });
  }

  /** @throws Problem NOT_FOUND */
  async get(actor: Actor, runId: string): Promise<BulkRun> {
    const shop = await this.#deps.shop.get(actor.accountId);
    return readSnapshot(this.#deps.db, async (snapshot) =>
      viewRun(snapshot, toScope(actor), await requireVisible(snapshot, actor, runId), shop),
    );
  }

  /** @throws Problem NOT_FOUND */
  async listLines(actor: Actor, runId: string, query: BulkLinesQuery): Promise<BulkLines> {
    const { db, clock } = this.#deps;
    const { limit, offset } = query;
    return readSnapshot(db, async (snapshot) => {
      await requireVisible(snapshot, actor, runId);
      const { total, rows } = await listLines(snapshot, { ...toScope(actor), runId }, query);
      const list = await viewLines(snapshot, toScope(actor), rows, clock.now());
      return { limit, offset, total, list };
    });
  }

  /**
   * Starts the sale at the displayed total, in the confirming person's shift and name.
   * @param input.sellAgain accepts that an earlier file may have sold the same lines
   * @throws Problem BULK_RUN_CHANGED, BULK_LINES_AT_FAULT, BULK_SOLD_BEFORE, PRICE_CHANGED,
   * WALLET_SHORT, SHIFT_REQUIRED, ENVIRONMENT_CHANGED, TENDER_RETIRED
   */
  async confirm(actor: Actor, runId: string, input: BulkConfirmInput): Promise<BulkRun> {
    const { transactor, clock, requireEnvironment, requireShift } = this.#deps;
    requireNoTraining(actor);
    const { tender, tenderId, reference = null, total } = input;
    const { tenders: known } = await this.#deps.shop.get(actor.accountId);
    const paid = { kind: tender, ...(tenderId !== undefined && { tenderId }) };
    const { name: tenderName } = requireTender(paid, { known, isPaid: false, field: "tenderId" });
    await transactor.transact(actor.accountId, async (tx) => {
      const run = await getRun(tx, actor, runId);
      if (run.state !== "CHECKED") throw runChanged();
      await requireEnvironment(tx, actor);
      await requireShift(tx, actor, actor.staffId);
      const states = await sumStates(tx, { ...toScope(actor), runId });
      const ready = states.find(({ state }) => state === "READY");
      const faulty = states.find(({ state }) => state === "FAULTY")?.lines ?? 0;
      requireRight({ ready: ready?.lines ?? 0, faulty, warned: ready?.warned ?? 0 }, input);
      const before = await findSoldBefore(tx, actor, run);
      if (before && !input.sellAgain) throw soldBefore(before);
      requireTotal(total, ready?.priceNow ?? 0);
      await requireWallet(tx, actor, (ready?.cost ?? 0) + (await sumUnheld(tx, actor)));
      const at = clock.now();
      const change = {
        staff_id: actor.staffId,
        tender,
        tender_id: tenderId === undefined || tenderId === tender ? "" : tenderId,
        reference,
        confirmed_at: at,
      };
      await moveRun(tx, { ...toScope(actor), runId }, ["CHECKED"], "RUNNING", change);
      await enqueueJob(tx, { kind: SELL_JOB, subject: encodeSubject(actor, runId), runAt: at });
      const detail = { name: run.name, lines: ready?.lines ?? 0, price: total, tender };
      await this.#recordAudit(tx, actor, "bulk.confirm", runId, {
        ...detail,
        ...(tenderName !== undefined && { tenderName }),
        ...(before && { again: true }),
      });
    });
    return this.get(actor, runId);
  }

  /** @throws Problem NOT_FOUND, BULK_RUN_CHANGED */
  async pause(actor: Actor, runId: string): Promise<BulkRun> {
    await this.#deps.transactor.transact(actor.accountId, async (tx) => {
      await requireVisible(tx, actor, runId);
      const run = { ...toScope(actor), runId };
      await moveRun(tx, run, ["RUNNING", "PAUSED"], "PAUSED", { pause: "BY_HAND" });
      await cancelJob(tx, SELL_JOB, encodeSubject(actor, runId));
    });
    return this.get(actor, runId);
  }

  /**
   * Resumes at the displayed total, in the resuming person's shift and name.
   * @throws Problem NOT_FOUND, BULK_RUN_CHANGED, PRICE_CHANGED, SHIFT_REQUIRED, ENVIRONMENT_CHANGED
   */
  async resume(actor: Actor, runId: string, total: number): Promise<BulkRun> {
    const { transactor, clock, requireEnvironment, requireShift } = this.#deps;
    requireNoTraining(actor);
    await transactor.transact(actor.accountId, async (tx) => {
      const run = { ...toScope(actor), runId };
      const { name } = await getRun(tx, actor, runId);
      await requireEnvironment(tx, actor);
      await requireShift(tx, actor, actor.staffId);
      const states = await sumStates(tx, run);
      const ready = states.find(({ state }) => state === "READY");
      requireTotal(total, ready?.priceNow ?? 0);
      await moveRun(tx, run, ["PAUSED"], "RUNNING", { staff_id: actor.staffId });
      await changeReady(tx, run, "PRICES");
      await enqueueJob(tx, {
        kind: SELL_JOB,
        subject: encodeSubject(actor, runId),
        runAt: clock.now(),
      });
      const detail = { name, lines: ready?.lines ?? 0, price: total };
      await this.#recordAudit(tx, actor, "bulk.resume", runId, detail);
    });
    return this.get(actor, runId);
  }

  /**
   * The remaining lines are never sold.
   * @throws Problem NOT_FOUND, BULK_RUN_CHANGED
   */
  async stop(actor: Actor, runId: string): Promise<BulkRun> {
    const { transactor, clock } = this.#deps;
    await transactor.transact(actor.accountId, async (tx) => {
      const run = { ...toScope(actor), runId };
      const { name } = await requireVisible(tx, actor, runId);
      const states = await sumStates(tx, run);
      await moveRun(tx, run, ["RUNNING", "PAUSED"], "STOPPED", { ended_at: clock.now() });
      await changeReady(tx, run, "LEFT");
      await cancelJob(tx, SELL_JOB, encodeSubject(actor, runId));
      const left = states.find(({ state }) => state === "READY")?.lines ?? 0;
      await this.#recordAudit(tx, actor, "bulk.stop", runId, { name, lines: left });
    });
    return this.get(actor, runId);
  }

  async #recordAudit(
    tx: Tx,
    { accountId, staffId, environment }: Actor,
    action: "bulk.confirm" | "bulk.resume" | "bulk.stop",
    subject: string,
    detail: Record<string, string | number | boolean>,
  ): Promise<void> {
    const at = this.#deps.clock.now();
    const entry = { accountId, staffId, action, subject, at };
    await recordAudit(tx, { ...entry, detail: { ...detail, environment } });
  }
}

async function viewRun(
  snapshot: Db | Tx,
  scope: Scope,
  row: BulkRunRow,
  shop: Pick<Shop, "currency" | "currencyDivisor">,
): Promise<BulkRun> {
  const { run_id: runId, staff_id: staffId } = row;
  const run = { ...scope, runId };
  const states = await sumStates(snapshot, run);
  const of = (state: StateSum["state"]) => states.find((one) => one.state === state) ?? NONE;
  const ready = of("READY");
  const names = await staffNames(snapshot, scope.accountId, [staffId]);
  const isOpen = row.ended_at === null;
  const before = row.confirmed_at === null ? await findSoldBefore(snapshot, scope, row) : undefined;
  return {
    runId,
    name: row.name,
    state: row.state,
    ...(row.pause !== null && { pause: row.pause }),
    createdAt: toTimestamp(row.created_at),
    ...(row.confirmed_at !== null && { confirmedAt: toTimestamp(row.confirmed_at) }),
    ...(row.ended_at !== null && { endedAt: toTimestamp(row.ended_at) }),
    staff: { staffId, name: names.get(staffId) ?? "" },
    ...(row.tender !== null && { tender: row.tender }),
    currency: shop.currency,
    currencyDivisor: shop.currencyDivisor,
    lines: states.reduce((sum, { lines }) => sum + lines, 0),
    unchecked: of("UNCHECKED").lines,
    faulty: of("FAULTY").lines,
    warned: ready.warned,
    ready: { lines: ready.lines, price: ready.priceNow, cost: ready.cost },
    refused: of("REFUSED").lines,
    left: of("LEFT").lines,
    sold: { lines: of("SOLD").lines, price: of("SOLD").price },
    ...(await viewOutcomes(snapshot, run)),
    wallet: await viewWallet(snapshot, scope, isOpen ? ready.cost : 0),
    ...(ready.repriced > 0 && {
      repriced: { lines: ready.repriced, before: ready.repricedBefore, now: ready.repricedNow },
    }),
    ...(before && {
      soldBefore: {
        runId: before.run_id,
        name: before.name,
        confirmedAt: toTimestamp(before.confirmed_at),
      },
    }),
  };
}

async function viewOutcomes(
  snapshot: Db | Tx,
  run: Scope & { runId: string },
): Promise<Pick<BulkRun, "delivered" | "notDelivered" | "sending">> {
  const outcomes = await sumOutcomes(snapshot, run);
  function share(isMeant: (status: string) => boolean) {
    const meant = outcomes.filter(({ status }) => isMeant(status));
    return {
      lines: meant.reduce((sum, { lines }) => sum + lines, 0),
      price: meant.reduce((sum, { price }) => sum + price, 0),
    };
  }
  return {
    delivered: share((status) => status === "DONE"),
    notDelivered: share((status) => status === "FAILED"),
    sending: share((status) => status !== "DONE" && status !== "FAILED"),
  };
}

async function viewWallet(
  snapshot: Db | Tx,
  scope: Scope,
  cost: number,
): Promise<BulkRun["wallet"]> {
  const { available, currency, currencyDivisor } = await getBalances(snapshot, scope);
  const spendable = Math.max(0, available - (await sumUnheld(snapshot, scope)));
  return { currency, currencyDivisor, spendable, shortBy: Math.max(0, cost - spendable) };
}

async function viewLines(
  snapshot: Db | Tx,
  scope: Scope,
  rows: readonly BulkLineRow[],
  now: number,
): Promise<BulkLine[]> {
  const ids = rows.flatMap(({ state, transaction_id }) =>
    state === "SOLD" && transaction_id !== null ? [transaction_id] : [],
  );
  const purchases = new Map(
    (await findPurchases(snapshot, scope, ids)).map((one) => [one.transaction.transactionId, one]),
  );
  return rows.map((row) => {
    const { state, sale_id: saleId, transaction_id: transactionId, refusal_code: code } = row;
    const purchase = purchases.get(transactionId ?? "");
    const at = { table: "bulk_lines", row: `${row.run_id} ${row.line}` } as const;
    const wanted =
      row.input_json === null
        ? undefined
        : readColumn(WantedLine, row.input_json, { ...at, column: "input_json" });
    return {
      line: row.line,
      state,
      ...(wanted && { productType: wanted.productType }),
      title: row.title,
      recipientFormatted: wanted ? formatPhoneNumber(row.recipient) : row.recipient,
      note: row.note,
      ...(row.price !== null && { price: row.price }),
      ...(row.price_now !== null && { priceNow: row.price_now }),
      faults: readColumn(Type.Array(BulkFault), row.faults_json, { ...at, column: "faults_json" }),
      warnings: readColumn(Type.Array(BulkWarning), row.warnings_json, {
        ...at,
        column: "warnings_json",
      }),
      ...(state === "SOLD" && saleId !== null && { saleId }),
      ...(state === "SOLD" && transactionId !== null && { transactionId }),
      ...(purchase && { outcome: getOutcome(purchase, now) }),
      ...(code !== null && { refusal: { code, message: row.refusal_message ?? "" } }),
    };
  });
}
