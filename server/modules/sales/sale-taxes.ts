import type { SaleTax } from "../../contract/pos/taxes.ts";
import type { SaleLineRow } from "./sale-store.ts";

/** What of these lines is tax on their price, by rate, the lowest first (rules#receipt-tax). */
export function taxesOf(
  lines: readonly Pick<SaleLineRow, "tax" | "tax_kind" | "tax_percent">[],
): SaleTax[] {
  const onPrice = lines.filter(({ tax, tax_kind }) => tax_kind === "ON_PRICE" && tax > 0);
  const byRate = Map.groupBy(onPrice, ({ tax_percent }) => tax_percent);
  return [...byRate]
    .map(([percent, of]) => ({ percent, amount: of.reduce((sum, { tax }) => sum + tax, 0) }))
    .toSorted((a, b) => Number(a.percent) - Number(b.percent));
}
