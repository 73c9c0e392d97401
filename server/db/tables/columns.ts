import type { ColumnType } from "kysely";
import type { Environment } from "../../contract/common.ts";

/** 0 or 1. */
export type Flag = ColumnType<number, number, number>;

/** Columns of a row that belongs to an account and one of its environments. */
export interface Scoped {
  account_id: string;
  environment: Environment;
}

/** A row with a checksum of its content; see `checksums.ts`, which writes it. */
export interface Checked {
  checksum: ColumnType<number | null, never, never>;
}
