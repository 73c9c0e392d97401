import type { Actor } from "../../../contract/pos/actor.ts";
import type { PrintQuery } from "../../../contract/pos/sales.ts";
import type {
  CloseInput,
  ForceCloseInput,
  ZReport,
  ZReportPrint,
  ZReports,
  ZReportsQuery,
} from "../../../contract/pos/shifts.ts";
import { type DayClock, startOfDate } from "../../../contract/pos/shop-day.ts";
import { Problem } from "../../../contract/problem.ts";
import { businessTime } from "../../../db/business-time.ts";
import type { Scope } from "../../../db/changes.ts";
import type { Tx } from "../../../db/database.ts";
import { DAY, toTimestamp } from "../../../lib/clock.ts";
import { digestOf } from "../../../lib/digest.ts";
import { recordAudit } from "../../books/audit-trail/index.ts";
import type { Base } from "../../module.ts";
import type { BackupService } from "../../safety/backups/index.ts";
import type { ShopService } from "../../shop/shop/index.ts";
import { requireRights } from "../../shop/staff/index.ts";
import { noteGranted, recordPrint } from "../print-records/index.ts";
import { joined, type SalesScope } from "../sales/index.ts";
import { countFigures, expectedCash, withoutCost } from "./shift-figures.ts";
import {
  checkCount,
  noteShift,
  requireNoTraining,
  requireReader,
  requireSelf,
  shiftClosed,
  viewShift,
} from "./shift-service.ts";
import {
  createZReport,
  endShift,
  findZReport,
  getShift,
  listCarriedIds,
  listZReports,
  nextZNumber,
  type ShiftRow,
  toZReport,
} from "./shift-store.ts";
import { listOwedSales, listUnfinishedLines } from "./unfinished-lines.ts";

interface ZReportServiceDeps extends Pick<Base, "db" | "transactor" | "clock"> {
  shop: ShopService;
  backups: BackupService;
}

interface CloseOptions {
  input: ForceCloseInput;
  forced: boolean;
  leaveUnfinished: boolean;
  isSure: boolean;
  approvalId: string | undefined;
}

export class ZReportService {
  readonly #deps: ZReportServiceDeps;

  constructor(deps: ZReportServiceDeps) {
    this.#deps = deps;
  }

  /**
   * Closes the person's own shift.
   * @throws Problem NOT_FOUND, FORBIDDEN, SHIFT_CLOSED, SHIFT_UNFINISHED (fields.lines: number of
   * lines), COUNT_UNLIKELY unless confirmed, APPROVAL_REQUIRED for leaving unfinished lines,
   * INVALID_REQUEST naming `count`
   */
  async close(worker: Actor, shiftId: string, input: CloseInput): Promise<ZReport> {
    const { leaveUnfinished = false, isSure = false, approvalId, ...counted } = input;
    const closing = { input: counted, forced: false, leaveUnfinished, isSure, approvalId };
    return forReader(worker, await this.#close(worker, shiftId, closing));
  }

  async forceClose(worker: Actor, shiftId: string, input: ForceCloseInput): Promise<ZReport> {
    const sure = { leaveUnfinished: true, isSure: true, approvalId: undefined };
    const closing = { input, forced: true, ...sure };
    return forReader(worker, await this.#close(worker, shiftId, closing));
  }

  /**
   * Lists reports newest first, for people who may see figures. `days` limits the closing days.
   * @throws Problem INVALID_REQUEST naming `firstDay`
   */
  async list(scope: SalesScope, { limit, offset, ...days }: ZReportsQuery): Promise<ZReports> {
    const page = { limit, offset };
    if (scope.training) return { ...page, total: 0, list: [] };
    const closed = closedWithin(days, await this.#deps.shop.get(scope.accountId));
    const { total, rows } = await listZReports(this.#deps.db, scope, { ...page, closed });
    return { ...page, total, list: rows.map(toZReport) };
  }

  /**
   * Prints a report; a reprint is a COPY. A print with a `printId` counts as soon as it starts
   * (rules#receipt-print-outcome).
   * @throws Problem NOT_FOUND, FORBIDDEN, ID_TAKEN, APPROVAL_REQUIRED for a copy without the
   * permission
   */
  async print(
    worker: Actor,
    zNumber: number,
    { approvalId, printId }: PrintQuery,
  ): Promise<ZReportPrint> {
    const { transactor, clock, shop } = this.#deps;
    const { accountId, staffId, name } = worker;
    const report = await this.#get(worker, zNumber);
    const at = clock.now();
    const copyNumber = await transactor.transact(accountId, async (tx) => {
      const print = { kind: "Z_REPORT", subject: String(zNumber), printId, staffId, at } as const;
      const { copyNumber: number, granted } = await recordPrint(tx, worker, print);
      if (number > 0 && !granted.includes("reprint")) {
        const subject = `z-${zNumber}`;
        const needs = [{ right: "reprint" as const }];
        const facts = { zNumber, seller: report.shift.staff.name };
        const action = { needs, subject, request: { zNumber }, approvalId, facts, at };
        await requireRights(tx, worker, action);
        await noteGranted(tx, worker, print, needs);
        const detail = { copy: number, ...facts, environment: worker.environment };
        await recordAudit(tx, {
          accountId,
          staffId,
          action: "z-report.reprint",
          subject,
          detail,
          at,
        });
      }
      return number;
    });
    const { name: shopName, language } = await shop.get(accountId);
    return {
      shopName,
      language,
      copy: copyNumber > 0,
      copyNumber,
      printedAt: toTimestamp(at),
      printedBy: name,
      report,
    };
  }

  /** @throws Problem NOT_FOUND, FORBIDDEN */
  async #get(worker: Actor, zNumber: number): Promise<ZReport> {
    requireNoTraining(worker);
    const row = await findZReport(this.#deps.db, worker, { zNumber });
    if (!row) throw noReport();
    requireReader(worker, row);
    return forReader(worker, toZReport(row));
  }

  async #close(worker: Actor, shiftId: string, closing: CloseOptions): Promise<ZReport> {
    const { transactor, clock, backups } = this.#deps;
    const { input, forced } = closing;
    requireNoTraining(worker);
    checkCount(input.counted, input.count, "counted");
    const requestHash = digestOf({ staffId: worker.staffId, shiftId, forced, ...input });
    return transactor.transact(worker.accountId, async (tx) => {
      const shift = await getShift(tx, worker, shiftId);
      if (!forced) requireSelf(worker, shift);
      if (shift.closed_at !== null) return sameReport(tx, worker, shiftId, requestHash);
      const at = await businessTime(tx, worker, clock.now());
      const report = await this.#makeReport(tx, worker, shift, closing, at);
      if (!closing.isSure) requireLikely(report, shift);
      await endShift(tx, shift, at);
      await createZReport(tx, shift, { report, requestHash, at });
      const { zNumber, variance } = report;
      await noteShift(tx, worker, {
        action: forced ? "shift.force-close" : "shift.close",
        shiftId,
        detail: {
          zNumber,
          seller: report.shift.staff.name,
          unfinished: report.unfinished.length,
          expected: report.expectedCash,
          ...(report.counted !== undefined && { counted: report.counted }),
          ...(variance !== undefined && { variance }),
          currency: shift.currency,
          currencyDivisor: shift.currency_divisor,
        },
        at,
      });
      await backups.request(tx, `shift ${shift.environment}/${shiftId}`);
      return report;
    });
  }

  /** @throws Problem SHIFT_UNFINISHED */
  async #makeReport(
    tx: Tx,
    worker: Actor,
    shift: ShiftRow,
    { input, forced, leaveUnfinished, approvalId }: CloseOptions,
    at: number,
  ): Promise<ZReport> {
    const carriedIds = await listCarriedIds(tx, shift);
    const own = await listUnfinishedLines(tx, worker, { shiftId: shift.shift_id }, at);
    if (own.length > 0 && !leaveUnfinished) {
      throw new Problem("SHIFT_UNFINISHED", "Sales of this shift are still being sent.", {
        lines: String(own.length),
        ...Object.fromEntries(
          own.map((line) => [
            line.transactionId,
            `sale ${line.saleNumber}: ${line.brandName} ${line.recipient}`,
          ]),
        ),
      });
    }
    const needs = own.length > 0 && !forced ? [{ right: "carryOver" as const }] : [];
    const request = { shiftId: shift.shift_id, leaveUnfinished, ...input };
    const facts = {
      unfinished: own.length,
      product: joined(own.map(({ brandName, title }) => `${brandName} ${title}`)),
      recipient: joined(own.map((line) => line.recipient)),
      ...(input.counted !== undefined && { counted: input.counted }),
    };
    const action = { needs, subject: shift.shift_id, request, approvalId, facts };
    const now = this.#deps.clock.now();
    const approver = await requireRights(tx, worker, { ...action, at: now });
    const late = await listUnfinishedLines(tx, worker, { transactionIds: carriedIds }, at);
    const figures = await countFigures(tx, shift, carriedIds);
    const expected = expectedCash(shift, figures);
    const { counted, count } = input;
    return {
      zNumber: await nextZNumber(tx, worker),
      shift: await viewShift(tx, { ...shift, closed_at: at }),
      closedAt: toTimestamp(at),
      closedBy: { staffId: worker.staffId, name: worker.name },
      forced: forced && worker.staffId !== shift.staff_id,
      ...(approver && { approvedBy: { staffId: approver.staffId, name: approver.name } }),
      figures,
      expectedCash: expected,
      ...(counted !== undefined && { counted, variance: counted - expected }),
      ...(count && { count }),
      unfinished: [...late, ...own],
      owed: await listOwedSales(tx, shift, carriedIds),
    };
  }
}

function forReader({ rights }: Actor, report: ZReport): ZReport {
  return rights.seeFigures ? report : { ...report, figures: withoutCost(report.figures) };
}

/**
 * A count of this many times the expected cash is probably a typing mistake: a missing decimal
 * point multiplies the amount by 100.
 */
const UNLIKELY_FACTOR = 50;
/** Minimum of the expected cash in this comparison, in units of the currency. */
const MIN_BASE_UNITS = 20;

/**
 * Refuses an unlikely count, because a report cannot be corrected (rules#shift-count-likely).
 * @throws Problem COUNT_UNLIKELY
 */
function requireLikely(
  { counted = 0, expectedCash: expected }: ZReport,
  { currency_divisor }: ShiftRow,
): void {
  const base = Math.max(expected, MIN_BASE_UNITS * currency_divisor);
  if (counted < UNLIKELY_FACTOR * base) return;
  const fields = { counted: "is far more than a drawer like this one holds" };
  throw new Problem("COUNT_UNLIKELY", "So much is not in this drawer: is it mistyped?", fields);
}

/** Returns the report if the request repeats the closing request. Refuses other requests. */
async function sameReport(
  tx: Tx,
  scope: Scope,
  shiftId: string,
  requestHash: string,
): Promise<ZReport> {
  const row = await findZReport(tx, scope, { shiftId });
  if (row?.request_hash !== requestHash) throw shiftClosed();
  return toZReport(row);
}

function noReport(): Problem {
  return new Problem("NOT_FOUND", "There is no such report.");
}

/**
 * @returns undefined if no days are given
 * @throws Problem INVALID_REQUEST naming `firstDay`
 */
function closedWithin(
  { firstDay, lastDay }: Pick<ZReportsQuery, "firstDay" | "lastDay">,
  day: DayClock,
): { from: number; until: number } | undefined {
  const [begin, end] = [firstDay ?? lastDay, lastDay ?? firstDay];
  if (begin === undefined || end === undefined) return undefined;
  const [first, last] = [Date.parse(begin) / DAY, Date.parse(end) / DAY];
  if (first <= last) {
    return { from: startOfDate(first, day), until: startOfDate(last + 1, day) };
  }
  const rule = "must be a day up to lastDay";
  throw new Problem("INVALID_REQUEST", `firstDay ${rule}.`, { firstDay: rule });
}
