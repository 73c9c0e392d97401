import { hashKey, useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent } from "react";
import type { Sale } from "../../server/contract/pos/sales.ts";
import { askForDrawer } from "../lib/drawer-requests.ts";
import { saleQuery, statusQuery } from "../lib/pos-queries.ts";
import { getPrintSettings } from "../lib/print-settings.ts";
import { listenSoldHere } from "../lib/sold-here.ts";
import { opensDrawer } from "../lib/tender-name.ts";

/**
 * After a sale on this till: the drawer opens at once for cash and what else opens it, and the receipt is printed by itself
 * where this till always prints, as soon as every line has an outcome. A sale that still waits is
 * printed, too: that receipt is all the customer has.
 */
export function useAutoPrint(onPrint: (saleId: string) => Promise<void>): void {
  const queryClient = useQueryClient();
  const begin = useEffectEvent((sale: Sale) => {
    const shop = queryClient.getQueryData(statusQuery().queryKey)?.tenders;
    const opens = ({ amount, tendered = amount, ...tender }: Sale["tenders"][number]) =>
      tendered > 0 && opensDrawer(tender, shop);
    if (sale.tenders.some(opens)) {
      askForDrawer({ reason: "SALE", id: sale.saleId });
    }
  });
  const print = useEffectEvent((saleId: string) => {
    if (getPrintSettings().rule === "always") {
      // It says itself that it failed, on the button that tries again.
      void onPrint(saleId).catch(() => {});
    }
  });
  useEffect(() => {
    const waiting = new Set<string>();
    const look = (saleId: string) => {
      const sale = queryClient.getQueryData(saleQuery(saleId).queryKey);
      if (sale && isKnown(sale)) {
        waiting.delete(saleId);
        if (sale.receiptsPrinted === 0) print(saleId);
      }
    };
    const stopCache = queryClient.getQueryCache().subscribe(({ type, query }) => {
      // What else is told may be told while a screen is drawn.
      if (type !== "updated") {
        return;
      }
      for (const saleId of waiting) {
        if (hashKey(saleQuery(saleId).queryKey) === query.queryHash) {
          look(saleId);
        }
      }
    });
    const stopSales = listenSoldHere((sale) => {
      waiting.add(sale.saleId);
      begin(sale);
      // The event of its delivery may have been faster than the answer.
      look(sale.saleId);
    });
    return () => {
      stopCache();
      stopSales();
    };
  }, [queryClient]);
}

/** Whether no line is about to change within seconds. */
function isKnown({ lines }: Sale): boolean {
  return lines.every(({ outcome }) => outcome !== "SENDING");
}
