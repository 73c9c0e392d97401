import { expect, it } from "vitest";
import type { Sale, Sales } from "../../../../server/contract/pos/sales.ts";
import { salesOfPages, salesQuery, searchDigits } from "./today-queries.ts";

const sale = (saleId: string) => ({ saleId }) as Sale;
const pageOf = (offset: number, ids: readonly string[], total: number): Sales => ({
  list: ids.map(sale),
  limit: 2,
  offset,
  total,
});

it("a sale that moved to the next page is listed once", () => {
  const pages = [pageOf(0, ["c", "b"], 4), pageOf(2, ["b", "a"], 4)];
  expect(salesOfPages({ pages }).map(({ saleId }) => saleId)).toEqual(["c", "b", "a"]);
});

it("the last page has no next page", () => {
  const { getNextPageParam } = salesQuery("2026-11-30T00:00:00Z", "5123");
  const next = (page: Sales) => getNextPageParam(page, [page], page.offset, [page.offset]);
  expect(next(pageOf(0, ["c", "b"], 3))).toBe(2);
  expect(next(pageOf(2, ["a"], 3))).toBeUndefined();
});

it("a search contains only the digits of the typed text, in Latin digits", () => {
  expect(searchDigits("+502 5123-4567")).toBe("50251234567");
  expect(searchDigits("٥١٢٣ no. 7")).toBe("51237");
  expect(searchDigits("1".repeat(40))).toHaveLength(15);
});
