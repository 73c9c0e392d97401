import type { ColumnType, Generated } from "kysely";
import type { Family } from "../../contract/pos/families.ts";
import type { ProductType } from "../../contract/v1/transactions.ts";
import type { Checked, Flag, Scoped } from "./columns.ts";

/** Offers that can be bought, and the state of their providers. */
export interface CatalogTables {
  catalogs: CatalogsTable;
  catalog_generations: CatalogGenerationsTable;
  catalog_updates: CatalogUpdatesTable;
  catalog_imports: CatalogImportsTable;
  catalog_uploads: CatalogUploadsTable;
  catalog_upload_parts: BytesOfCatalogFilesTable;
  offer_switches: OfferSwitchesTable;
  pinned_offers: PinnedOffersTable;
  brands: BrandsTable;
  offers: OffersTable;
  promos: PromosTable;
  brand_states: BrandStatesTable;
}

interface CatalogsTable extends Scoped {
  /** Increases with every change, so that a stale prepared copy is detected. */
  version: number;
  source: string;
  updated_at: number;
  /** The generation of the valid rows in the tables below. */
  generation: ColumnType<number, number | undefined, number>;
  /** Increases with every choice of the owner: switched-off offers and pinned ones. */
  choices: ColumnType<number, number | undefined, number>;
}

/** A file that was checked and waits for an owner, at most one for each environment. */
interface CatalogImportsTable extends Scoped {
  import_id: string;
  name: string;
  bytes: number;
  checked_at: number;
  /** The catalog's version that it was compared with; 0 where there was none. */
  base_version: number;
  difference_json: string;
  /** Compressed: its sections, then a line for each item. */
  content: Uint8Array;
}

/** A file that is being uploaded, or its result; at most one for each environment. */
interface CatalogUploadsTable extends Scoped {
  import_id: string;
  name: string;
  bytes: number;
  received_bytes: number;
  state: "RECEIVING" | "CHECKING" | "FAULTY" | "SAME" | "WRITING" | "DONE" | "FAILED";
  /** Its errors, its progress, or the reason of its failure. */
  outcome_json: string;
  /** The person who uploads it, or has confirmed it. */
  staff_id: string | null;
  /** The time of the last action on it. */
  touched_at: number;
}

/** The bytes of a file, until it is checked. */
interface BytesOfCatalogFilesTable extends Scoped {
  import_id: string;
  /** Its offset in the file. */
  first_byte: number;
  content: Uint8Array;
}

/** The result of an import or a sync. */
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

/** Offers that an owner has shown or hidden; the last matching switch decides. */
interface OfferSwitchesTable extends Scoped {
  sequence: number;
  target_json: string;
  enabled: Flag;
  /** The number of changed offers at its creation. */
  offers: number;
  staff_id: string | null;
  switched_at: number;
  undone_at: number | null;
}

/** Offers that the counter shows first. */
interface PinnedOffersTable extends Scoped {
  product_type: Family;
  position: number;
  offer_id: string;
}

/** A generation of rows that is not valid. */
interface CatalogGenerationsTable extends Scoped {
  generation: number;
  /** The import that writes it; null if it is to be deleted. */
  import_id: string | null;
  /** The process that writes it; null in a file, which only one process uses. */
  written_by: Generated<string | null>;
  /** Until then no other process abandons it. */
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
  /** The offer as the catalog states it: prices in the catalog's currency. */
  offer_json: string;
  created_at: number;
  updated_at: number;
}

interface PromosTable extends Scoped, Checked {
  generation: number;
  promo_id: string;
  /** The promotion as the catalog states it, in all its languages. */
  promo_json: string;
  created_at: number;
}

/** The state of a brand's provider; no row without failures. */
interface BrandStatesTable extends Scoped {
  brand: string;
  /** Recoverable failures and timeouts since the last answer. */
  failures: ColumnType<number, number | undefined, number>;
  paused_since: number | null;
  /** `auto` ends automatically, `manual` by an owner. */
  pause_reason: "auto" | "manual" | null;
  /** From then on one purchase is sent to test the provider. */
  next_probe_at: number | null;
}
