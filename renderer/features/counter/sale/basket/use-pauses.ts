import { useQueries } from "@tanstack/react-query";
import { phoneQuery } from "../../api/counter-queries.ts";
import { brandsQuery } from "../../api/offer-queries.ts";
import { type Pause, pauseOf } from "../../ui/pause.ts";
import type { AttemptLine } from "../attempt/line-item.ts";

/** Pauses of the lines' brands, by brand; always the newest answer, as a pause may end. */
export function usePauses(lines: readonly AttemptLine[]): ReadonlyMap<string, Pause> {
  const families = lines.flatMap(({ item }) => (item.number ? [] : [item.productType]));
  const lists = useQueries({
    queries: [...new Set(families)].map((family) => brandsQuery(family, true)),
  });
  const numbers = lines.flatMap(({ item }) => item.number ?? []);
  const phones = useQueries({
    queries: [...new Set(numbers)].map((number) => phoneQuery(number.slice(1))),
  });
  const brands = [
    ...lists.flatMap(({ data }) => data?.list ?? []),
    ...phones.flatMap(({ data }) => data?.brands ?? []),
  ];
  return new Map(
    brands.flatMap((brand) => {
      const pause = pauseOf(brand);
      return pause ? [[brand.brand, pause] as const] : [];
    }),
  );
}
