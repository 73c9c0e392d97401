import type { Generated } from "kysely";
import type { Checked, Scoped } from "./columns.ts";

export interface PriceTables {
  price_lists: PriceListsTable;
  price_losses: PriceLossesTable;
  purchase_losses: PurchaseLossesTable;
}

interface PriceListsTable extends Scoped, Checked {
  /** Version number, from 1 without gaps. */
  version: number;
  list_json: string;
  starts_at: number;
  saved_at: number;
  /** The person who saved the list; null for the command line. */
  staff_id: string | null;
  note: string;
}

interface PriceLossesTable extends Scoped, Checked {
  rule_id: string;
  /** Loss on the rule's sales (cost less price), in minor units of the shop's currency. */
  lost: number;
}

interface PurchaseLossesTable extends Scoped {
  transaction_id: string;
  rule_id: string;
  /**
   * Part of the rule's loss budget that the purchase used, in minor units of the shop's currency.
   */
  lost: number;
  /** 1 if the budget got this amount back, because the purchase failed or was refunded. */
  is_released: Generated<0 | 1>;
}
