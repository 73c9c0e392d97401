import type { ColumnType } from "kysely";
import type { ProductType } from "../../contract/v1/transactions.ts";
import type { Checked, Scoped } from "./columns.ts";

/** What can be bought, and how its providers do. */
export interface CatalogTables {
  catalogs: CatalogsTable;
  brands: BrandsTable;
  offers: OffersTable;
  promos: PromosTable;
  brand_states: BrandStatesTable;
}

interface CatalogsTable extends Scoped {
  /** Grows by one with every change, so that a prepared copy knows when it is stale. */
  version: number;
  source: string;
  updated_at: number;
}

interface BrandsTable extends Scoped, Checked {
  brand: string;
  brand_name: string;
  detail_json: string;
}

interface OffersTable extends Scoped, Checked {
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
  promo_id: string;
  /** The promotion as the catalog states it, in all its languages. */
  promo_json: string;
  created_at: number;
}

/** How a brand's provider does: no row while all is well. */
interface BrandStatesTable extends Scoped {
  brand: string;
  /** Recoverable failures and silences that no answer came between. */
  failures: ColumnType<number, number | undefined, number>;
  paused_since: number | null;
  /** `auto` ends by itself, `manual` by hand. */
  pause_reason: "auto" | "manual" | null;
  /** From then on one purchase is let through to test the water. */
  next_probe_at: number | null;
}
