import type { Generated } from "kysely";
import type { Checked, Scoped } from "./columns.ts";

/** The rules of prices. */
export interface PriceTables {
  price_lists: PriceListsTable;
  price_losses: PriceLossesTable;
  purchase_losses: PurchaseLossesTable;
}

interface PriceListsTable extends Scoped, Checked {
  /** From 1 on, without gaps. */
  version: number;
  list_json: string;
  /** When its prices become valid. */
  starts_at: number;
  saved_at: number;
  /** The person who saved it; null for the command line. */
  staff_id: string | null;
  note: string;
}

interface PriceLossesTable extends Scoped, Checked {
  rule_id: string;
  /** Loss of the rule's sales (cost less price), in minor units of the shop's currency. */
  lost: number;
}

interface PurchaseLossesTable extends Scoped {
  transaction_id: string;
  rule_id: string;
  /** The part of the rule's budget that this purchase took, in minor units of the shop's currency. */
  lost: number;
  /** The budget has it back, because the purchase failed or was refunded. */
  is_released: Generated<0 | 1>;
}
