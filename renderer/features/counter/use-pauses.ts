import { useQueries } from "@tanstack/react-query";
import { brandsQuery } from "./api/offer-queries.ts";
import type { AttemptLine } from "./line-item.ts";

/** Brands of the lines whose provider is slow, and since when; the newest answer, as it may end. */
export function usePauses(lines: readonly AttemptLine[]): ReadonlyMap<string, string> {
  const products = new Set(lines.map(({ item }) => item.productType));
  products.delete("TOPUP");
  const walls = useQueries({
    queries: [...products].flatMap((product) =>
      product === "TOPUP" ? [] : [brandsQuery(product, true)],
    ),
  });
  return new Map(
    walls.flatMap(({ data }) =>
      (data?.list ?? []).flatMap(({ brand, pausedSince }) =>
        pausedSince === undefined ? [] : [[brand, pausedSince] as const],
      ),
    ),
  );
}
