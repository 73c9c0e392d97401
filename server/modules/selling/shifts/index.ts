import { sql } from "kysely";
import type { Actor } from "../../../contract/pos/actor.ts";
import { tidyName } from "../../../contract/pos/name.ts";
import type { DepositInput, Safe } from "../../../contract/pos/shifts.ts";
import { Problem } from "../../../contract/problem.ts";
import { businessTime } from "../../../db/business-time.ts";
import type { Scope } from "../../../db/changes.ts";
import { type Db, readSnapshot, type Tx } from "../../../db/database.ts";
import { jsonField } from "../../../db/engine-words.ts";
import { inScope } from "../../../db/scope-filters.ts";
import type { App } from "../../../http/app-types.ts";
import { handle } from "../../../http/pos-operations.ts";
import { toTimestamp } from "../../../lib/clock.ts";
import { recordAudit } from "../../books/audit-trail/index.ts";
import type { Base, Module } from "../../module.ts";
import type { BackupService } from "../../safety/backups/index.ts";
import type { RequireEnvironment, ShopService } from "../../shop/shop/index.ts";
import { staffNames } from "../../shop/staff/index.ts";
import { MovementService, ShiftService } from "./shift-service.ts";
import { ZReportService } from "./z-report-service.ts";

export { ShiftService } from "./shift-service.ts";
export {
  findMovementAuthor,
  listOpenShifts,
  readZReportsClosed,
  requireOpenShift,
} from "./shift-store.ts";
export { viewPaidLines } from "./unfinished-lines.ts";

interface SafeServiceDeps extends Pick<Base, "db" | "transactor" | "clock"> {
  shop: ShopService;
}

const LISTED = 50;

/** Cash outside of open drawers, and its deposits at the bank (rules#cash-followed). */
class SafeService {
  readonly #deps: SafeServiceDeps;

  constructor(deps: SafeServiceDeps) {
    this.#deps = deps;
  }

  /** @throws Problem NOT_SET_UP */
  async view({ accountId, environment }: Scope): Promise<Safe> {
    const { db, shop } = this.#deps;
    const scope = { accountId, environment };
    const { currency, currencyDivisor } = await shop.get(accountId);
    return readSnapshot(db, async (snapshot) => {
      const flow = await sumCashFlow(snapshot, scope, { from: 0, until: Number.MAX_SAFE_INTEGER });
      const { drops, closings, floats, deposits } = flow;
      const rows = await snapshot
        .selectFrom("cash_movements")
        .select(["movement_id", "kind", "amount", "reason", "recorded_at", "staff_id"])
        .where(inScope(scope))
        .where("shift_id", "is", null)
        .orderBy("recorded_at", "desc")
        .limit(LISTED)
        .execute();
      const names = await staffNames(
        snapshot,
        accountId,
        rows.map(({ staff_id }) => staff_id),
      );
      return {
        currency,
        currencyDivisor,
        drops,
        closings,
        floats,
        deposits,
        balance: addedToSafe(flow),
        list: rows.map((row) => ({
          depositId: row.movement_id,
          kind: row.kind === "WITHDRAWAL" ? row.kind : "DEPOSIT",
          amount: row.amount,
          reference: row.reason,
          recordedAt: toTimestamp(row.recorded_at),
          staff: { staffId: row.staff_id, name: names.get(row.staff_id) ?? "" },
        })),
      };
    });
  }

  /** @throws Problem ID_TAKEN if another deposit has the id */
  async deposit(owner: Actor, { depositId, kind, amount, ...input }: DepositInput): Promise<Safe> {
    const { transactor, clock, shop } = this.#deps;
    const { accountId, environment, staffId } = owner;
    const { currency, currencyDivisor } = await shop.get(accountId);
    const reference = tidyName(input.reference ?? "");
    await transactor.transact(accountId, async (tx) => {
      const earlier = await tx
        .selectFrom("cash_movements")
        .select(["kind", "amount", "reason"])
        .where(inScope({ accountId, environment }))
        .where("movement_id", "=", depositId)
        .executeTakeFirst();
      if (earlier) {
        const isSame =
          earlier.kind === kind && earlier.amount === amount && earlier.reason === reference;
        if (isSame) return;
        throw new Problem("ID_TAKEN", "Another deposit has this id.", { depositId: "is taken" });
      }
      const at = await businessTime(tx, owner, clock.now());
      await tx
        .insertInto("cash_movements")
        .values({
          account_id: accountId,
          environment,
          movement_id: depositId,
          kind,
          amount,
          currency,
          reason: reference,
          staff_id: staffId,
          recorded_at: at,
        })
        .execute();
      const detail = {
        amount,
        ...(reference !== "" && { reference }),
        currency,
        currencyDivisor,
        environment,
      };
      const action = kind === "DEPOSIT" ? "cash.deposit" : "cash.withdraw";
      await recordAudit(tx, { accountId, staffId, action, subject: environment, detail, at });
    });
    return this.view(owner);
  }
}

/** Sums of cash movements, in minor units of the shop's currency. */
export interface CashFlow {
  payIns: number;
  payOuts: number;
  drops: number;
  floats: number;
  /** Counted cash, which goes into the safe. If the drawer was not counted, the expected amount. */
  closings: number;
  differences: number;
  /** Deposits minus withdrawals. */
  deposits: number;
}

/** Period that excludes `until`. */
interface Span {
  from: number;
  until: number;
}

/** Sums movements by the time of their records (rules#cash-followed). */
export async function sumCashFlow(
  db: Db | Tx,
  { accountId, environment }: Scope,
  { from, until }: Span,
): Promise<CashFlow> {
  const during = (at: string) => sql`account_id = ${accountId} and environment = ${environment}
      and ${sql.ref(at)} >= ${from} and ${sql.ref(at)} < ${until}`;
  const sumOf = (kind: string) => sql`coalesce(sum(amount) filter (where kind = ${kind}), 0)`;
  const reported = (name: string) => sql`cast(${jsonField("report_json", name)} as bigint)`;
  const { rows } = await sql<CashFlow>`
    select moved.*, opened.*, closed.* from
      (select ${sumOf("PAY_IN")} as "payIns", ${sumOf("PAY_OUT")} as "payOuts",
        ${sumOf("DROP")} as drops, ${sumOf("DEPOSIT")} - ${sumOf("WITHDRAWAL")} as deposits
        from cash_movements where ${during("recorded_at")}) moved,
      (select coalesce(sum(opening_float), 0) as floats
        from shifts where ${during("opened_at")}) opened,
      (select coalesce(sum(coalesce(${reported("counted")}, ${reported("expectedCash")})), 0)
          as closings, coalesce(sum(${reported("variance")}), 0) as differences
        from z_reports where ${during("closed_at")}) closed`.execute(db);
  const [row] = rows;
  if (!row) throw new Error("a sum without groups returned no row");
  return row;
}

export function addedToSafe({ drops, closings, floats, deposits }: CashFlow): number {
  return drops + closings - floats - deposits;
}

type ShiftsModuleDeps = Base & {
  backups: BackupService;
  shop: ShopService;
  requireEnvironment: RequireEnvironment;
};

export function createShiftsModule(deps: ShiftsModuleDeps) {
  const shifts = new ShiftService(deps);
  const movements = new MovementService(deps);
  const safe = new SafeService(deps);
  const zReports = new ZReportService(deps);
  return {
    services: { shifts, movements, zReports },
    pos: (app) => registerShiftRoutes(app, { shifts, movements, zReports, safe }),
  } satisfies Module;
}

interface ShiftRoutesDeps {
  shifts: ShiftService;
  movements: MovementService;
  zReports: ZReportService;
  safe: SafeService;
}

async function registerShiftRoutes(app: App, services: ShiftRoutesDeps): Promise<void> {
  const { shiftOperations } = await import("../../../contract/pos/shifts.ts");
  const { shifts, movements, zReports, safe } = services;
  handle(app, shiftOperations.viewSafe, ({ actor }) => safe.view(actor));

  handle(app, shiftOperations.deposit, ({ actor, body }) => safe.deposit(actor, body));

  handle(app, shiftOperations.open, ({ actor, body }) => shifts.open(actor, body));

  handle(app, shiftOperations.listOpen, ({ actor }) => shifts.listOpen(actor));

  handle(app, shiftOperations.getCurrent, ({ actor }) => shifts.findCurrent(actor));

  handle(app, shiftOperations.readX, ({ actor, params }) => shifts.readX(actor, params.shiftId));

  handle(app, shiftOperations.listMovements, ({ actor, params }) =>
    movements.list(actor, params.shiftId),
  );

  handle(app, shiftOperations.bookMovement, ({ actor, params, body }) =>
    movements.book(actor, params.shiftId, body),
  );

  handle(app, shiftOperations.close, ({ actor, params, body }) =>
    zReports.close(actor, params.shiftId, body),
  );

  handle(app, shiftOperations.forceClose, ({ actor, params, body }) =>
    zReports.forceClose(actor, params.shiftId, body),
  );

  handle(app, shiftOperations.listZReports, ({ actor, query }) => zReports.list(actor, query));

  handle(app, shiftOperations.printZReport, ({ actor, params, query }) =>
    zReports.print(actor, Number(params.zNumber), query),
  );

  handle(app, shiftOperations.viewUnfinished, ({ actor }) => shifts.viewUnfinished(actor));
}
