import { ENVIRONMENTS } from "../../../contract/common.ts";
import type { Actor } from "../../../contract/pos/actor.ts";
import type { AuditAction } from "../../../contract/pos/audit-trail.ts";
import type { Need } from "../../../contract/pos/rights.ts";
import type {
  CashCount,
  CurrentShift,
  Movement,
  MovementInput,
  MovementKind,
  Movements,
  OpenShifts,
  Shift,
  ShiftInput,
  ShiftWithFloat,
  Unfinished,
  XReport,
} from "../../../contract/pos/shifts.ts";
import { invalidField, Problem } from "../../../contract/problem.ts";
import { businessTime } from "../../../db/business-time.ts";
import { recordChange, type Scope } from "../../../db/changes.ts";
import { type Db, readSnapshot, type Tx } from "../../../db/database.ts";
import { toTimestamp } from "../../../lib/clock.ts";
import { recordAudit } from "../../books/audit-trail/index.ts";
import type { Base } from "../../module.ts";
import type { RequireEnvironment, ShopService } from "../../shop/shop/index.ts";
import { requireRights, staffNames } from "../../shop/staff/index.ts";
import type { SalesScope } from "../sales/index.ts";
import { countFigures, expectedCash, withoutCost } from "./shift-figures.ts";
import {
  createShift,
  findMovement,
  findOpenShift,
  findShift,
  getShift,
  listCarriedIds,
  listMovements,
  listOpenShifts,
  type MovementRow,
  recordMovement,
  type ShiftRow,
  toShift,
} from "./shift-store.ts";
import {
  countPurchasesUnderWay,
  countUnfinishedLines,
  listOwedSales,
  listUnfinishedLines,
} from "./unfinished-lines.ts";

interface ShiftServiceDeps extends Pick<Base, "db" | "transactor" | "clock"> {
  shop: ShopService;
  requireEnvironment: RequireEnvironment;
}

/**
 * A person has at most one open shift per environment (rules#shift-required). The till creates the
 * ids, so that a repeated request is booked once.
 */
export class ShiftService {
  readonly #deps: ShiftServiceDeps;

  constructor(deps: ShiftServiceDeps) {
    this.#deps = deps;
  }

  /**
   * @throws Problem SHIFT_OPEN if another shift of the person is open, ID_TAKEN, INVALID_REQUEST
   * naming `count`, FORBIDDEN in training, ENVIRONMENT_CHANGED
   */
  async open(worker: Actor, input: ShiftInput): Promise<Shift> {
    const { transactor, clock, shop } = this.#deps;
    requireNoTraining(worker);
    checkCount(input.float, input.count, "float");
    const { currency, currencyDivisor } = await shop.get(worker.accountId);
    const row = await transactor.transact(worker.accountId, async (tx) => {
      const earlier = await findShift(tx, worker, input.shiftId);
      if (earlier) return sameShift(earlier, worker, input);
      await this.#deps.requireEnvironment(tx, worker);
      if (await findOpenShift(tx, worker, worker.staffId)) {
        throw new Problem("SHIFT_OPEN", "Your shift is open already.");
      }
      const at = await businessTime(tx, worker, clock.now());
      const { shiftId, float, count } = input;
      const { accountId, environment, staffId } = worker;
      const scope = { accountId, environment };
      await createShift(tx, {
        ...scope,
        shiftId,
        staffId,
        currency,
        currencyDivisor,
        float,
        count,
        at,
      });
      const detail = { float, currency, currencyDivisor };
      await noteShift(tx, worker, { action: "shift.open", shiftId, at, detail });
      return getShift(tx, worker, shiftId);
    });
    return this.#view(worker, row);
  }

  async findCurrent(worker: Actor): Promise<CurrentShift> {
    if (worker.training) return {};
    const row = await findOpenShift(this.#deps.db, worker, worker.staffId);
    return row ? { shift: await this.#view(worker, row) } : {};
  }

  /**
   * A person who counts the drawer blind sees the number of sales, but no expected cash and no
   * figure from which the expected cash could be calculated.
   * @throws Problem NOT_FOUND, FORBIDDEN, SHIFT_CLOSED
   */
  async readX(worker: Actor, shiftId: string): Promise<XReport> {
    const { db, clock } = this.#deps;
    requireNoTraining(worker);
    const at = clock.now();
    return readSnapshot(db, async (snapshot) => {
      const row = await getShift(snapshot, worker, shiftId);
      requireOwn(worker, row);
      requireOpen(row);
      const carriedIds = await listCarriedIds(snapshot, row);
      const figures = await countFigures(snapshot, row, carriedIds);
      const shift = await viewShift(snapshot, row);
      return {
        at: toTimestamp(at),
        ...(worker.rights.seeExpectedCash
          ? {
              shift,
              figures: worker.rights.seeFigures ? figures : withoutCost(figures),
              expectedCash: expectedCash(row, figures),
            }
          : { shift: withoutCash(shift) }),
        sales: figures.sales.count,
        unfinished: await listUnfinishedLines(snapshot, worker, { shiftId }, at),
        owed: await listOwedSales(snapshot, row, carriedIds),
      };
    });
  }

  async listOpen(scope: SalesScope): Promise<OpenShifts> {
    if (scope.training) return { list: [] };
    return readSnapshot(this.#deps.db, async (snapshot) => {
      const list: OpenShifts["list"] = [];
      for (const row of await listOpenShifts(snapshot, scope)) {
        const figures = await countFigures(snapshot, row, await listCarriedIds(snapshot, row));
        list.push({
          shift: await viewShift(snapshot, row),
          expectedCash: expectedCash(row, figures),
          sales: figures.sales,
        });
      }
      return { list };
    });
  }

  /** Like `listUnfinished`, without recipients of other people's sales. */
  async viewUnfinished({ accountId, name, rights }: Actor): Promise<Unfinished> {
    const { lines, openShifts } = await this.listUnfinished(accountId);
    if (rights.seeExpectedCash) return { lines, openShifts };
    return {
      lines: lines.map((line) => (line.seller === name ? line : { ...line, recipient: "" })),
      openShifts: openShifts.map(withoutCash),
    };
  }

  async countUnfinished(scope: Scope): Promise<number> {
    return countUnfinishedLines(this.#deps.db, scope);
  }

  async countPurchasesUnderWay(accountId: string): Promise<number> {
    const counts = await readSnapshot(this.#deps.db, async (snapshot) => {
      const found: number[] = [];
      for (const environment of ENVIRONMENTS) {
        found.push(await countPurchasesUnderWay(snapshot, { accountId, environment }));
      }
      return found;
    });
    return counts.reduce((sum, count) => sum + count, 0);
  }

  async listUnfinished(accountId: string): Promise<Unfinished> {
    const { db, clock } = this.#deps;
    return readSnapshot(db, async (snapshot) => {
      const lines: Unfinished["lines"] = [];
      for (const environment of ENVIRONMENTS) {
        const scope = { accountId, environment };
        lines.push(...(await listUnfinishedLines(snapshot, scope, "all", clock.now())));
      }
      const openShifts: Shift[] = [];
      for (const row of await listOpenShifts(snapshot, { accountId })) {
        openShifts.push(await viewShift(snapshot, row));
      }
      return { lines, openShifts };
    });
  }

  async #view(worker: Actor, row: ShiftRow): Promise<Shift> {
    const shift = await viewShift(this.#deps.db, row);
    return worker.rights.seeExpectedCash ? shift : withoutCash(shift);
  }
}

function withoutCash({ float: _float, ...shift }: Shift): Shift {
  return shift;
}

export async function viewShift(db: Db | Tx, row: ShiftRow): Promise<ShiftWithFloat> {
  return toShift(row, await staffNames(db, row.account_id, [row.staff_id]));
}

export async function noteShift(
  tx: Tx,
  worker: Actor,
  entry: {
    action: AuditAction;
    shiftId: string;
    detail: Record<string, string | number | boolean>;
    at: number;
  },
): Promise<void> {
  const { accountId, environment, staffId } = worker;
  const { action, shiftId, detail, at } = entry;
  await recordAudit(tx, {
    accountId,
    staffId,
    action,
    subject: shiftId,
    detail: { ...detail, environment },
    at,
  });
  const scope = { accountId, environment };
  await recordChange(tx, scope, { topic: "shop", subject: `shift ${shiftId}`, at });
}

function sameShift(row: ShiftRow, worker: Actor, input: ShiftInput): ShiftRow {
  const same = row.staff_id === worker.staffId && row.opening_float === input.float;
  if (same) return row;
  throw new Problem("ID_TAKEN", "Another shift has this id.", { shiftId: "is taken" });
}

/**
 * Training belongs to no shift.
 * @throws Problem FORBIDDEN in training
 */
export function requireNoTraining({ training }: Actor): void {
  if (!training) return;
  throw new Problem("FORBIDDEN", "Training belongs to no shift. End the training first.", {
    training: "must be over",
  });
}

/**
 * Admits only the person of the shift.
 * @throws Problem FORBIDDEN
 */
export function requireSelf(worker: Actor, { staff_id }: { staff_id: string }): void {
  if (staff_id !== worker.staffId) throw notYours();
}

/**
 * Admits the person of the shift, and people with the permission to see figures.
 * @throws Problem FORBIDDEN
 */
export function requireReader(reader: Actor, { staff_id }: { staff_id: string }): void {
  if (staff_id !== reader.staffId && !reader.rights.seeFigures) throw notYours();
}

/**
 * Admits the person of the shift, and owners.
 * @throws Problem FORBIDDEN
 */
function requireOwn(worker: Actor, { staff_id }: { staff_id: string }): void {
  if (staff_id !== worker.staffId && worker.role !== "owner") throw notYours();
}

function notYours(): Problem {
  return new Problem("FORBIDDEN", "This is somebody else's shift.");
}

/** @throws Problem SHIFT_CLOSED */
function requireOpen(shift: ShiftRow): void {
  if (shift.closed_at !== null) throw shiftClosed();
}

export function shiftClosed(): Problem {
  return new Problem("SHIFT_CLOSED", "This shift is closed already.");
}

/** @throws Problem INVALID_REQUEST naming `count` if the count does not add up to the amount */
export function checkCount(
  amount: number | undefined,
  count: CashCount | undefined,
  amountName: string,
): void {
  if (!count) return;
  if (amount === undefined) throw invalidField(amountName, "is required beside a count");
  const denominations = new Set(count.map(({ denomination }) => denomination));
  if (denominations.size < count.length) throw invalidField("count", "names a denomination twice");
  const sum = count.reduce(
    (total, { denomination, quantity }) => total + denomination * quantity,
    0,
  );
  if (sum !== amount) throw invalidField("count", `comes to ${sum}, not to ${amountName}`);
}

/** @throws Problem INVALID_REQUEST naming `amount` or `reason` */
function checkMovement({ kind, amount, reason }: MovementInput): void {
  const movesCash = kind !== "NO_SALE";
  if (movesCash && amount === undefined) throw invalidField("amount", "is required");
  if (!movesCash && amount !== undefined) throw invalidField("amount", "is not given for NO_SALE");
  if (kind !== "DROP" && reason === undefined) throw invalidField("reason", "is required");
}

function listMovementNeeds(kind: MovementKind): Need[] {
  if (kind === "PAY_OUT") return [{ right: "payOut" }];
  return kind === "NO_SALE" ? [{ right: "noSale" }] : [];
}

type MovementServiceDeps = Pick<Base, "db" | "transactor" | "clock">;

export class MovementService {
  readonly #deps: MovementServiceDeps;

  constructor(deps: MovementServiceDeps) {
    this.#deps = deps;
  }

  /** @throws Problem NOT_FOUND, FORBIDDEN */
  async list(worker: Actor, shiftId: string): Promise<Movements> {
    const { db } = this.#deps;
    requireNoTraining(worker);
    const shift = await getShift(db, worker, shiftId);
    requireOwn(worker, shift);
    const rows = await listMovements(db, shift);
    const staffIds = rows.flatMap(({ staff_id, approved_by }) => [
      staff_id,
      approved_by ?? staff_id,
    ]);
    const names = await staffNames(db, worker.accountId, staffIds);
    return { list: rows.map((row) => toMovement(row, names)) };
  }

  /**
   * Books a movement in the person's own drawer.
   * @throws Problem NOT_FOUND, FORBIDDEN, SHIFT_CLOSED, APPROVAL_REQUIRED, ID_TAKEN,
   * INVALID_REQUEST
   */
  async book(worker: Actor, shiftId: string, input: MovementInput): Promise<Movement> {
    const { db, transactor, clock } = this.#deps;
    requireNoTraining(worker);
    checkMovement(input);
    const row = await transactor.transact(worker.accountId, async (tx) => {
      const shift = await getShift(tx, worker, shiftId);
      requireSelf(worker, shift);
      const earlier = await findMovement(tx, worker, input.movementId);
      if (earlier) return sameMovement(earlier, shiftId, input);
      requireOpen(shift);
      const at = await businessTime(tx, worker, clock.now());
      const { movementId: subject, approvalId } = input;
      const request = { shiftId, ...input };
      const moved = {
        kind: input.kind,
        ...(input.amount !== undefined && { amount: input.amount }),
        ...(input.reason !== undefined && { reason: input.reason }),
      };
      const needs = listMovementNeeds(input.kind);
      const action = { needs, subject, request, approvalId, facts: moved };
      const approver = await requireRights(tx, worker, { ...action, at: clock.now() });
      const approvedBy = approver?.staffId;
      await recordMovement(tx, shift, { input, staffId: worker.staffId, approvedBy, at });
      const { currency, currency_divisor: currencyDivisor } = shift;
      const detail = { ...moved, currency, currencyDivisor };
      await noteShift(tx, worker, { action: "shift.movement", shiftId, at, detail });
      return findMovement(tx, worker, input.movementId);
    });
    if (!row) throw new Error("the booked movement is missing");
    const staffIds = [row.staff_id, row.approved_by ?? row.staff_id];
    return toMovement(row, await staffNames(db, worker.accountId, staffIds));
  }
}

function sameMovement(row: MovementRow, shiftId: string, input: MovementInput): MovementRow {
  const same =
    row.shift_id === shiftId &&
    row.kind === input.kind &&
    row.amount === (input.amount ?? 0) &&
    row.reason === (input.reason?.trim() ?? "");
  if (same) return row;
  throw new Problem("ID_TAKEN", "Another movement has this id.", { movementId: "is taken" });
}

function toMovement(row: MovementRow, names: ReadonlyMap<string, string>): Movement {
  const person = (staffId: string) => ({ staffId, name: names.get(staffId) ?? "" });
  return {
    movementId: row.movement_id,
    kind: row.kind,
    amount: row.amount,
    reason: row.reason,
    recordedAt: toTimestamp(row.recorded_at),
    staff: person(row.staff_id),
    ...(row.approved_by !== null && { approvedBy: person(row.approved_by) }),
  };
}
