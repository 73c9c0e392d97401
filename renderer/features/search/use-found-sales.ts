import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { Sale } from "../../../server/contract/pos/sales.ts";
import { latinDigits } from "../../lib/direction.ts";
import { useNow } from "../../lib/gateway-clock.ts";
import { useFormat } from "../../lib/use-format.ts";
import { foundSalesQuery, olderSalesQuery } from "./api/search-queries.ts";

const MINUTE_MS = 60_000;
/** Pause in typing before a request. */
const SEARCH_AFTER_MS = 200;
const MOST_SHOWN = 5;
const MOST_DIGITS = 15;
const NO_SALES: readonly Sale[] = [];

/**
 * Finds sales of any age by sale number or whole phone number, and today's sales by part of a
 * number. `isBehind` is true until the gateway has answered for the latest text.
 */
export function useFoundSales(whole: string): {
  readonly sales: readonly Sale[];
  readonly isBehind: boolean;
} {
  const { t } = useTranslation();
  const format = useFormat();
  const day = format.startOfDay(useNow(MINUTE_MS));
  // Clerks may type the name that all screens show, such as "Sale 12".
  const named = isolated(t("sale.number", { number: "" }));
  const latin = latinDigits(whole);
  const typed = latin.trim().toLowerCase().startsWith(named)
    ? latin.trim().slice(named.length)
    : latin;
  const digits = /^\+?[\d\s().-]+$/.test(typed.trim())
    ? typed.replaceAll(/\D/g, "").slice(0, MOST_DIGITS)
    : "";
  const [asked] = useDebouncedValue(digits, SEARCH_AFTER_MS);
  const found = useQuery({
    ...foundSalesQuery(new Date(day).toISOString(), asked),
    enabled: asked !== "" && digits !== "",
    placeholderData: keepPreviousData,
  });
  // The "+" tells the gateway that the number starts with a calling code.
  const older = useQuery({
    ...olderSalesQuery(`${typed.trim().startsWith("+") ? "+" : ""}${asked}`),
    enabled: asked !== "" && digits !== "",
    placeholderData: keepPreviousData,
  });
  if (digits === "") {
    return { sales: NO_SALES, isBehind: false };
  }
  const isAnswered = asked === digits && !found.isPlaceholderData && !older.isPlaceholderData;
  const isKnown = (query: { data: unknown; isError: boolean }) =>
    query.data !== undefined || query.isError;
  const sales = [...(older.data?.list ?? []), ...(found.data?.list ?? [])];
  const isNumbered = (sale: Sale) => Number(String(sale.saleNumber) === digits);
  return {
    sales: isAnswered
      ? [...new Map(sales.map((sale) => [sale.saleId, sale])).values()]
          .sort((a, b) => isNumbered(b) - isNumbered(a))
          .slice(0, MOST_SHOWN)
      : NO_SALES,
    isBehind: !isAnswered || !isKnown(found) || !isKnown(older),
  };
}

/** Lower case, without the direction marks around values. */
function isolated(text: string): string {
  return text
    .replaceAll(/[\u2066-\u2069]/g, "")
    .trim()
    .toLowerCase();
}
