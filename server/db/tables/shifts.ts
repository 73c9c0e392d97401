import type { MovementKind } from "../../contract/pos/shifts.ts";
import type { Scoped } from "./columns.ts";

/** Shifts, their drawers and their reports. */
export interface ShiftTables {
  shifts: ShiftsTable;
  shift_movements: ShiftMovementsTable;
  cash_deposits: CashDepositsTable;
  z_reports: ZReportsTable;
  z_report_prints: ZReportPrintsTable;
}

/** A person's shift at the drawer; at most one is open for a person in an environment. */
interface ShiftsTable extends Scoped {
  shift_id: string;
  staff_id: string;
  currency: string;
  currency_divisor: number;
  opened_at: number;
  opening_float: number;
  /** How the float was counted; null when its total was typed. */
  count_json: string | null;
  closed_at: number | null;
}

/**
 * Cash that was put into or taken out of a drawer without a sale, and every opening without one.
 */
interface ShiftMovementsTable extends Scoped {
  movement_id: string;
  shift_id: string;
  kind: MovementKind;
  /** 0 for NO_SALE, above it for the others; the kind says in which direction. */
  amount: number;
  reason: string;
  staff_id: string;
  approved_by: string | null;
  recorded_at: number;
}

/** Cash between the safe and the bank. */
interface CashDepositsTable extends Scoped {
  deposit_id: string;
  kind: "DEPOSIT" | "WITHDRAWAL";
  amount: number;
  currency: string;
  reference: string;
  staff_id: string;
  recorded_at: number;
}

/** The report of a closed shift, with the figures of its close. */
interface ZReportsTable extends Scoped {
  z_number: number;
  shift_id: string;
  /** The person of the shift. */
  staff_id: string;
  closed_at: number;
  /** SHA-256 of the request that closed it, so that a repeat finds its report. */
  request_hash: string;
  report_json: string;
}

interface ZReportPrintsTable extends Scoped {
  z_number: number;
  copy_number: number;
  staff_id: string;
  printed_at: number;
}
