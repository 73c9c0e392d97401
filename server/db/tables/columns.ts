import type { ColumnType } from "kysely";
import type { Environment } from "../../contract/common.ts";

export type Flag = ColumnType<number, number, number>;

export interface Scoped {
  account_id: string;
  environment: Environment;
}

/** A row with a checksum of its content, which `checksums.ts` writes. */
export interface Checked {
  checksum: ColumnType<number | null, number | null | undefined, never>;
}
