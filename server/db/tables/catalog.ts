import type { ColumnType, Generated } from "kysely";
import type { CatalogImport } from "../../contract/pos/catalog-imports.ts";
import type { ProductType } from "../../contract/v1/transactions.ts";
import type { Checked, Flag, Scoped } from "./columns.ts";

export interface CatalogTables {
  catalogs: CatalogsTable;
  catalog_generations: CatalogGenerationsTable;
  catalog_updates: CatalogUpdatesTable;
  catalog_files: CatalogFilesTable;
  catalog_file_parts: BytesOfCatalogFilesTable;
  offer_switches: OfferSwitchesTable;
  brands: BrandsTable;
  offers: OffersTable;
  promos: PromosTable;
  brand_states: BrandStatesTable;
  price_lists: PriceListsTable;
  price_losses: PriceLossesTable;
  purchase_losses: PurchaseLossesTable;
}

interface CatalogsTable extends Scoped {
  /** Increases with every change, so that an outdated prepared copy is detected. */
  version: number;
  source: string;
  updated_at: number;
  /** Generation of the valid rows in the tables of catalog items. */
  generation: ColumnType<number, number | undefined, number>;
  /** Increases with every choice of the owner: switches and pinned offers. */
  choices: ColumnType<number, number | undefined, number>;
}

/** An uploaded file or its result; at most one per environment. */
interface CatalogFilesTable extends Scoped {
  import_id: string;
  name: string;
  bytes: number;
  received_bytes: number;
  state: CatalogImport["state"];
  /** Errors, progress, or the reason of a failure. */
  outcome_json: string;
  /** The person who uploaded or accepted the file. */
  staff_id: string | null;
  touched_at: number;
  /** Result of the check, while the file is READY or WRITING; otherwise null. */
  checked_at: number | null;
  /** Version of the catalog with which the file was compared; 0 if there was none. */
  base_version: number | null;
  difference_json: string | null;
}

/**
 * Bytes of a file until it is checked. After the check, a single part with its compressed lines:
 * the sections, then each item.
 */
interface BytesOfCatalogFilesTable extends Scoped {
  import_id: string;
  /** Offset of these bytes in the file. */
  first_byte: number;
  content: Uint8Array;
}

interface CatalogUpdatesTable extends Scoped {
  sequence: number;
  at: number;
  action: string;
  source: string;
  staff_id: string | null;
  version: number | null;
  added: number;
  changed: number;
  removed: number;
  failure: string | null;
}

/** Switches that turn offers on or off. The last matching switch applies. */
interface OfferSwitchesTable extends Scoped {
  sequence: number;
  target_json: string;
  enabled: Flag;
  /** Number of offers that the switch changed when it was created. */
  offers: number;
  staff_id: string | null;
  switched_at: number;
  undone_at: number | null;
}

/** A generation of rows that is not valid: it is being written, or will be deleted. */
interface CatalogGenerationsTable extends Scoped {
  generation: number;
  /** The import that writes the generation; null if the generation is to be deleted. */
  import_id: string | null;
  /** The process that writes the generation; null on SQLite, where only one process writes. */
  written_by: Generated<string | null>;
  /** Time until which no other process may count the import as abandoned. */
  written_until: Generated<number | null>;
}

interface BrandsTable extends Scoped, Checked {
  generation: number;
  brand: string;
  brand_name: string;
  detail_json: string;
}

interface OffersTable extends Scoped, Checked {
  generation: number;
  offer_id: string;
  product_type: ProductType;
  brand: string;
  country: string;
  /** The offer in the catalog's form, with prices in the catalog's currency. */
  offer_json: string;
  created_at: number;
  updated_at: number;
  /** Null for the first provider and for a catalog without a provider. */
  provider_id: Generated<string | null>;
  /** The provider's id of the offer; null if equal. */
  product_id: Generated<string | null>;
}

interface PromosTable extends Scoped, Checked {
  generation: number;
  promo_id: string;
  /** The promotion in the catalog's form, in all its languages. */
  promo_json: string;
  created_at: number;
  /** Null for the first provider and for a catalog without a provider. */
  provider_id: Generated<string | null>;
}

/** State of a brand at a provider; no row if there were no failures. */
interface BrandStatesTable extends Scoped {
  brand: string;
  /** Always `first` for a manual pause, which concerns all providers. */
  provider_id: Generated<string>;
  /** Recoverable failures and timeouts after the last response. */
  failures: ColumnType<number, number | undefined, number>;
  paused_since: number | null;
  /** `auto` ends automatically; an owner ends `manual`. */
  pause_reason: "auto" | "manual" | null;
  /** Time from which a single purchase is sent to test the provider. */
  next_probe_at: number | null;
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
