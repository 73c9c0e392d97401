import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ShopProcess } from "../fixtures.ts";

interface CatalogFile {
  readonly vouchers: {
    readonly offerId: string;
    readonly cost: { fixed?: number };
    readonly price: { fixed?: number };
  }[];
  readonly promos: { readonly id: string; endAt: string }[];
}

type Edit = (catalog: CatalogFile) => void;

export async function editCatalog(shop: ShopProcess, ...edits: Edit[]): Promise<void> {
  const path = join(shop.dataDir, "edited-catalog.json");
  await shop.admin("catalog", "export", "--env", "test", path);
  const catalog = JSON.parse(await readFile(path, "utf8")) as CatalogFile;
  for (const edit of edits) edit(catalog);
  await writeFile(path, JSON.stringify(catalog));
  await shop.admin("catalog", "import", "--env", "test", path);
}

export function makeDearer(offerId: string): Edit {
  return ({ vouchers }) => {
    for (const { cost, price } of vouchers.filter((voucher) => voucher.offerId === offerId)) {
      cost.fixed = Math.round((cost.fixed ?? 0) * 1.1);
      price.fixed = Math.round((price.fixed ?? 0) * 1.1);
    }
  };
}

export function runPromotion(id: string): Edit {
  return ({ promos }) => {
    for (const promo of promos.filter((one) => one.id === id)) {
      promo.endAt = "2099-06-30T23:59:59.999Z";
    }
  };
}
