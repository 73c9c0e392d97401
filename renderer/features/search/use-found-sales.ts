import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { Sale } from "../../../server/contract/pos/sales.ts";
import { useFormat } from "../../lib/use-format.ts";
import { useNow } from "../../lib/use-now.ts";
import { foundSalesQuery } from "./api/search-queries.ts";

const MINUTE_MS = 60_000;
/** The gateway is asked when the digits stop coming. */
const SEARCH_AFTER_MS = 200;
const MOST_SHOWN = 5;
const MOST_DIGITS = 15;
const NO_SALES: readonly Sale[] = [];

/**
 * Today's sales with that number, or of a recipient whose number holds the digits; the gateway looks
 * for them. `isBehind` while it has not answered for what was typed.
 */
export function useFoundSales(typed: string): {
  readonly sales: readonly Sale[];
  readonly isBehind: boolean;
} {
  const format = useFormat();
  const day = format.startOfDay(useNow(MINUTE_MS));
  const digits = /^\+?[\d\s().-]+$/.test(typed.trim())
    ? typed.replaceAll(/\D/g, "").slice(0, MOST_DIGITS)
    : "";
  const [asked] = useDebouncedValue(digits, SEARCH_AFTER_MS);
  const found = useQuery({
    ...foundSalesQuery(new Date(day).toISOString(), asked),
    enabled: asked !== "" && digits !== "",
    placeholderData: keepPreviousData,
  });
  if (digits === "") {
    return { sales: NO_SALES, isBehind: false };
  }
  const sales = asked === digits && !found.isPlaceholderData ? found.data?.list : undefined;
  const isNumbered = (sale: Sale) => Number(String(sale.saleNumber) === digits);
  return {
    sales: sales
      ? sales.toSorted((a, b) => isNumbered(b) - isNumbered(a)).slice(0, MOST_SHOWN)
      : NO_SALES,
    isBehind: sales === undefined && !found.isError,
  };
}
