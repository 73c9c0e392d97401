import { keyed, readTable, TableError } from "../../lib/csv.ts";
import { code } from "./cells.ts";

/** Name and appearance of a brand before any market change. */
export interface BrandRow {
  readonly brand: string;
  readonly brandName: string;
  readonly brandColor: string;
  readonly description: string;
}

export function readBrands(path: string): Map<string, BrandRow> {
  const rows = readTable(path, ["brand", "brandName", "brandColor", "description"]);
  return keyed(rows, ({ at, cells }) => {
    if (cells.brandName === "") throw new TableError(at, "brandName is empty");
    if (!/^#[0-9A-F]{6}$/.test(cells.brandColor)) {
      throw new TableError(at, `brandColor "${cells.brandColor}" is not #RRGGBB`);
    }
    return [code(at, "brand", cells.brand), cells];
  });
}
