import type { Generated } from "kysely";
import type { Checked, Scoped } from "./columns.ts";

/** How prices are made. */
export interface PriceTables {
  price_lists: PriceListsTable;
  price_losses: PriceLossesTable;
  purchase_losses: PurchaseLossesTable;
}

interface PriceListsTable extends Scoped, Checked {
  /** From 1 on, without a gap. */
  version: number;
  list_json: string;
  /** From when on its prices are in force. */
  starts_at: number;
  saved_at: number;
  /** Who saved it; null for the command line. */
  staff_id: string | null;
  note: string;
}

interface PriceLossesTable extends Scoped, Checked {
  rule_id: string;
  /** What sales by the rule were under their cost, in minor units of the shop's currency. */
  lost: number;
}

interface PurchaseLossesTable extends Scoped {
  transaction_id: string;
  rule_id: string;
  /** The part of the rule's budget that this purchase took, in minor units of the shop's currency. */
  lost: number;
  /** The budget has it back: the purchase failed, or its provider refunded it. */
  is_released: Generated<0 | 1>;
}
