import type { MovementKind } from "../../contract/pos/shifts.ts";
import type { Scoped } from "./columns.ts";

/** Shifts, their drawers and their reports. */
export interface ShiftTables {
  shifts: ShiftsTable;
  cash_movements: CashMovementsTable;
  z_reports: ZReportsTable;
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

/** Cash into and out of drawers, and between the safe and the bank. */
interface CashMovementsTable extends Scoped {
  movement_id: string;
  /** Null for a deposit at the bank and a withdrawal. */
  shift_id: string | null;
  kind: MovementKind | "DEPOSIT" | "WITHDRAWAL";
  /** 0 for NO_SALE, above it for the others; the kind says in which direction. */
  amount: number;
  /** Of a movement without a shift. */
  currency: string | null;
  /** The reference of a deposit or a withdrawal. */
  reason: string;
  staff_id: string;
  approved_by: string | null;
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
