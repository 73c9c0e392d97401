import { useContext, useState } from "react";
import { ShopDayStartContext, ShopTimeZoneContext } from "../../../../lib/use-format.ts";
import { findRecentSale } from "../attempt/last-sale.ts";
import type { Till } from "../attempt/till.ts";
import { listPaidHere } from "../attempt/use-outbox.ts";

/** The ids of the sales that are shown, newest first: at first those not answered yet, and the last. */
export function useShownSales(till: Till) {
  const timeZone = useContext(ShopTimeZoneContext);
  const dayStartsAt = useContext(ShopDayStartContext);
  return useState<readonly string[]>(() => {
    const unanswered = listPaidHere(till).map(({ saleId, confirmedAt }) => ({
      saleId,
      paidAt: confirmedAt,
    }));
    const last = findRecentSale({ ...till, day: { timeZone, dayStartsAt } }, Date.now());
    const newestFirst = [...unanswered, ...(last ? [last] : [])].sort(
      (one, other) => other.paidAt - one.paidAt,
    );
    return [...new Set(newestFirst.map(({ saleId }) => saleId))];
  });
}
