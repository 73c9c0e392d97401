import type { Actor } from "../../../contract/pos/actor.ts";
import type { BulkPause } from "../../../contract/pos/bulk-runs.ts";
import { WantedLine } from "../../../contract/pos/sale-lines.ts";
import type { SaleInput } from "../../../contract/pos/sales.ts";
import { cashRoundingOf, type TenderInput } from "../../../contract/pos/tenders.ts";
import { Problem } from "../../../contract/problem.ts";
import type { Scope } from "../../../db/changes.ts";
import { DamagedRow } from "../../../db/checksums.ts";
import type { Tx } from "../../../db/database.ts";
import { inScope } from "../../../db/scope-filters.ts";
import { readColumn } from "../../../db/stored-json.ts";
import { enqueueJob } from "../../../jobs/job-store.ts";
import { accountOfSubject, decodeSubject } from "../../../jobs/job-subject.ts";
import { pause, SECOND } from "../../../lib/clock.ts";
import { getBalances } from "../../books/wallet/index.ts";
import { type CatalogService, sumCost } from "../../catalog/catalog/index.ts";
import type { Base } from "../../module.ts";
import type { PurchaseService } from "../../purchases/purchases/index.ts";
import type { ShopService } from "../../shop/shop/index.ts";
import { findActor } from "../../shop/staff/index.ts";
import { prepareLine, requireWallet, type SaleService } from "../sales/index.ts";
import {
  type BulkLineRow,
  type BulkRunRow,
  changeLine,
  countUnderWay,
  findRun,
  listInState,
  moveRun,
  runChanged,
  sumUnheld,
} from "./bulk-run-store.ts";

const BULK_PRICES_LINES_AT_ONCE = 50;

export const SELL_JOB = "bulk.sell";

const LINES_AT_ONCE = 10;
/** More unfinished lines would delay sales at the counter. */
const MAX_UNFINISHED = 40;
/** Older unfinished lines are not counted, because they wait for a slow provider. */
const UNFINISHED_WINDOW_MS = 30 * SECOND;
const LOOK_AGAIN_MS = SECOND;
const WALLET_LOOK_MS = 15 * SECOND;

/** Errors that pause the run. The line stays READY. */
const PAUSES: Readonly<Partial<Record<Problem["errorCode"], BulkPause>>> = {
  WALLET_SHORT: "WALLET_SHORT",
  PILOT_LIMIT: "PILOT_LIMIT",
  PRICE_CHANGED: "PRICE_CHANGED",
  SHIFT_REQUIRED: "SHIFT_REQUIRED",
  ENVIRONMENT_CHANGED: "ENVIRONMENT_CHANGED",
  APPROVAL_REQUIRED: "APPROVAL_REQUIRED",
};
const REFUSALS: ReadonlySet<Problem["errorCode"]> = new Set([
  "OFFER_NOT_FOUND",
  "OFFER_DISABLED",
  "REQUIRED_FIELD_MISSING",
  "BILL_NOT_FOUND",
  "ICCID_NOT_FOUND",
  "VALUE_REQUIRED",
  "VALUE_NOT_ALLOWED",
  "VALUE_OUT_OF_RANGE",
  "DUPLICATE_TRANSACTION_ID",
  "INVALID_REQUEST",
]);

interface BulkSellerDeps extends Pick<Base, "db" | "transactor" | "clock"> {
  catalog: CatalogService;
  purchases: PurchaseService;
  sales: SaleService;
  shop: ShopService;
}

type Run = Scope & { runId: string };

/** Sells each line as a sale. The same transaction marks the line as sold (rules#bulk-once). */
export class BulkSeller {
  readonly #deps: BulkSellerDeps;

  constructor(deps: BulkSellerDeps) {
    this.#deps = deps;
  }

  async advance(subject: string): Promise<void> {
    const { db, clock } = this.#deps;
    const { scope, id: runId } = decodeSubject(subject);
    const run = { ...scope, runId };
    const row = await findRun(db, scope, runId);
    if (row?.state === "PAUSED" && row.pause === "WALLET_SHORT") {
      return this.#checkWallet(run, subject);
    }
    if (row?.state !== "RUNNING") return undefined;
    const seller = await findActor(db, scope, row.staff_id);
    if (seller?.role !== "owner") return this.#pause(run, "SELLER_GONE", subject);
    if ((await countUnderWay(db, run, clock.now() - UNFINISHED_WINDOW_MS)) >= MAX_UNFINISHED) {
      return this.#reschedule(subject, clock.now() + LOOK_AGAIN_MS);
    }
    const lines = await listInState(db, run, "READY", { limit: LINES_AT_ONCE });
    if (lines.length === 0) return this.#end(run);
    for (const line of lines) {
      const pause = await this.#sellLine(seller, row, line);
      if (pause === "STOPPED") return undefined;
      if (pause) return this.#pause(run, pause, subject);
    }
    return this.#reschedule(subject, clock.now());
  }

  /** @returns the reason to pause the run */
  async #sellLine(
    seller: Actor,
    run: BulkRunRow,
    line: BulkLineRow & { intact: number },
  ): Promise<BulkPause | "STOPPED" | undefined> {
    const { transactor } = this.#deps;
    const at = { ...seller, runId: run.run_id };
    const { sale_id: saleId, transaction_id: transactionId, price, cost } = line;
    if (line.intact !== 1) throw new DamagedRow("bulk_lines", `${run.run_id} ${line.line}`);
    if (saleId === null || transactionId === null || price === null || cost === null) {
      throw new Error(`READY line ${line.line} of run ${run.run_id} has no price`);
    }
    const { cashStep } = await this.#deps.shop.get(seller.accountId);
    const input = toSale(run, { ...line, saleId, transactionId, price }, cashStep);
    try {
      const within = async (tx: Tx) => {
        await requireRunning(tx, at);
        // The wallet must also cover accepted transactions that have no hold yet.
        await requireWallet(tx, seller, await sumUnheld(tx, seller));
        await markSold(tx, at, { line: line.line, transactionId });
      };
      await this.#deps.sales.sell(seller, input, { from: "FILE", within });
      // In a restored backup, the sale may exist without the mark on its line.
      await this.#markSoldEarlier(at, { line: line.line, transactionId });
      return undefined;
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      if (error.errorCode === "BULK_RUN_CHANGED") return "STOPPED";
      // The price is unchanged but below its floor, so a resumed run could not sell the line.
      const isUnderFloor =
        error.errorCode === "PRICE_CHANGED" && error.fields["lines.0.priceNow"] === undefined;
      const pause = PAUSES[error.errorCode];
      if (pause && !isUnderFloor) return pause;
      if (!isUnderFloor && !REFUSALS.has(error.errorCode)) throw error;
      const { errorCode: refusal_code, message: refusal_message } = error;
      const change = { state: "REFUSED", refusal_code, refusal_message } as const;
      await transactor.transact(at.accountId, (tx) =>
        changeLine(tx, at, line.line, "READY", change),
      );
      return undefined;
    }
  }

  async #markSoldEarlier(run: Run, sold: { line: number; transactionId: string }): Promise<void> {
    const { db, transactor } = this.#deps;
    const [left] = await listInState(db, run, "READY", { after: sold.line - 1, limit: 1 });
    if (left?.line !== sold.line) return;
    await transactor.transact(run.accountId, (tx) => markSold(tx, run, sold));
  }

  async #pause(run: Run, pause: BulkPause, subject: string): Promise<void> {
    const { transactor, clock } = this.#deps;
    const moved = await transactor.transact(run.accountId, async (tx) => {
      if ((await findRun(tx, run, run.runId))?.state !== "RUNNING") return false;
      await moveRun(tx, run, ["RUNNING"], "PAUSED", { pause });
      if (pause === "WALLET_SHORT") {
        await enqueueJob(tx, { kind: SELL_JOB, subject, runAt: clock.now() + WALLET_LOOK_MS });
      }
      return true;
    });
    if (moved && pause === "PRICE_CHANGED") await noteNewPrices(this.#deps, run);
  }

  async #checkWallet(run: Run, subject: string): Promise<void> {
    const { db, transactor, clock } = this.#deps;
    const [next] = await listInState(db, run, "READY", { limit: 1 });
    await transactor.transact(run.accountId, async (tx) => {
      const { available } = await getBalances(tx, run);
      const isEnough = available - (await sumUnheld(tx, run)) >= (next?.cost ?? 0);
      const row = await findRun(tx, run, run.runId);
      if (row?.state !== "PAUSED" || row.pause !== "WALLET_SHORT") return;
      if (isEnough) await moveRun(tx, run, ["PAUSED"], "RUNNING");
      const runAt = clock.now() + (isEnough ? 0 : WALLET_LOOK_MS);
      await enqueueJob(tx, { kind: SELL_JOB, subject, runAt });
    });
  }

  async #end(run: Run): Promise<void> {
    const { transactor, clock } = this.#deps;
    await transactor.transact(run.accountId, async (tx) => {
      if ((await findRun(tx, run, run.runId))?.state !== "RUNNING") return;
      await moveRun(tx, run, ["RUNNING"], "DONE", { ended_at: clock.now() });
    });
  }

  #reschedule(subject: string, runAt: number): Promise<void> {
    return this.#deps.transactor.transact(accountOfSubject(subject), (tx) =>
      enqueueJob(tx, { kind: SELL_JOB, subject, runAt }),
    );
  }
}

/** @throws Problem BULK_RUN_CHANGED if the run was paused or stopped */
async function requireRunning(tx: Tx, run: Run): Promise<void> {
  if ((await findRun(tx, run, run.runId))?.state !== "RUNNING") throw runChanged();
}

async function markSold(
  tx: Tx,
  run: Run,
  { line, transactionId }: { line: number; transactionId: string },
): Promise<void> {
  const { created_at: sold_at } = await tx
    .selectFrom("transactions")
    .select("created_at")
    .where(inScope(run))
    .where("transaction_id", "=", transactionId)
    .executeTakeFirstOrThrow();
  const changed = await changeLine(tx, run, line, "READY", { state: "SOLD", sold_at });
  if (changed !== 1) throw runChanged();
}

function toSale(
  { run_id, environment, ...paid }: BulkRunRow,
  line: BulkLineRow & { saleId: string; transactionId: string; price: number },
  cashStep: number,
): SaleInput {
  const at = { table: "bulk_lines", column: "input_json", row: `${run_id} ${line.line}` } as const;
  const wanted = readColumn(WantedLine, line.input_json ?? "", at);
  const { saleId, transactionId, price } = line;
  const lines = [{ ...wanted, transactionId, price }];
  return {
    saleId,
    environment,
    training: false,
    lines,
    tenders: toTenders(paid, { price, cashStep }),
  };
}

/** Rounds cash like the shop. A free line has no tender. */
function toTenders(
  { tender, tender_id, reference }: Pick<BulkRunRow, "tender" | "tender_id" | "reference">,
  { price, cashStep }: { price: number; cashStep: number },
): TenderInput[] {
  if (tender === null || price === 0) return [];
  if (tender === "CASH") {
    const tendered = price + cashRoundingOf(price, [{ kind: tender }], cashStep);
    return [{ kind: tender, tendered }];
  }
  const named = tender_id !== "" && { tenderId: tender_id };
  return [{ kind: tender, ...named, amount: price, ...(reference !== null && { reference }) }];
}

interface BulkPricesDeps extends Pick<Base, "db" | "transactor"> {
  catalog: CatalogService;
  purchases: PurchaseService;
}

/** Stores new prices beside the confirmed prices, for the owner who resumes (rules#bulk-prices). */
async function noteNewPrices(deps: BulkPricesDeps, run: Scope & { runId: string }): Promise<void> {
  for (let after = 0; ; ) {
    const lines = await listInState(deps.db, run, "READY", {
      after,
      limit: BULK_PRICES_LINES_AT_ONCE,
    });
    const last = lines.at(-1);
    if (!last) return;
    const changed: { line: number; change: Partial<BulkLineRow> }[] = [];
    for (const line of lines) {
      const change = await findChange(deps, run, line);
      if (change) changed.push({ line: line.line, change });
    }
    await deps.transactor.transact(run.accountId, async (tx) => {
      for (const { line, change } of changed) await changeLine(tx, run, line, "READY", change);
    });
    after = last.line;
    await pause();
  }
}

/**
 * @returns undefined if the price is unchanged or the line cannot be sold; the sale reports that
 * error
 */
async function findChange(
  deps: BulkPricesDeps,
  run: Scope & { runId: string },
  { line, input_json, price, price_now, transaction_id }: BulkLineRow,
): Promise<Partial<BulkLineRow> | undefined> {
  const at = { table: "bulk_lines", column: "input_json", row: `${run.runId} ${line}` } as const;
  const wanted = readColumn(WantedLine, input_json ?? "", at);
  try {
    const transactionId = transaction_id ?? "";
    const { quote } = await prepareLine(deps, run, { ...wanted, transactionId });
    const now = quote.priceBase + quote.priceFee;
    if (now === (price_now ?? price)) return undefined;
    return { price_now: now === price ? null : now, cost: sumCost(quote) };
  } catch (error) {
    if (error instanceof Problem) return undefined;
    throw error;
  }
}
