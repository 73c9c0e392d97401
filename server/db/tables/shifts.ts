import type { MovementKind } from "../../contract/pos/shifts.ts";
import type { Scoped } from "./columns.ts";

export interface ShiftTables {
  shifts: ShiftsTable;
  cash_movements: CashMovementsTable;
  z_reports: ZReportsTable;
}

/** A person's shift at the drawer. A person has at most one open shift per environment. */
interface ShiftsTable extends Scoped {
  shift_id: string;
  staff_id: string;
  currency: string;
  currency_divisor: number;
  opened_at: number;
  opening_float: number;
  /** Counted notes and coins of the float; null if only the total was entered. */
  count_json: string | null;
  closed_at: number | null;
}

/** Cash moved into or out of drawers, and between the safe and the bank. */
interface CashMovementsTable extends Scoped {
  movement_id: string;
  /** Null for a deposit at the bank or a withdrawal. */
  shift_id: string | null;
  kind: MovementKind | "DEPOSIT" | "WITHDRAWAL";
  /** 0 for NO_SALE, otherwise positive. The kind determines the direction. */
  amount: number;
  /** Set for a movement without a shift. */
  currency: string | null;
  /** Reason of a movement, or reference of a deposit or withdrawal. */
  reason: string;
  staff_id: string;
  approved_by: string | null;
  recorded_at: number;
}

interface ZReportsTable extends Scoped {
  z_number: number;
  shift_id: string;
  staff_id: string;
  closed_at: number;
  /** SHA-256 of the request that closed the shift, so that a repeat returns this report. */
  request_hash: string;
  report_json: string;
}
