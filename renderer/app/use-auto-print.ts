import { useQueries, useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useState } from "react";
import type { Sale } from "../../server/contract/pos/sales.ts";
import { isAt } from "../features/counter/sale/attempt/attempt-store.ts";
import type { TillPlace } from "../features/counter/sale/attempt/till.ts";
import { isRefusal } from "../lib/api-client.ts";
import { hasKeys, readJson } from "../lib/browser-storage.ts";
import { drawerRequests, soldHere } from "../lib/listeners.ts";
import { saleQuery, statusQuery } from "../lib/pos-queries.ts";
import { getPrintSettings } from "../lib/print-settings.ts";
import { opensDrawer } from "../lib/tender-name.ts";
import { isOfThisWindow, takePlaceOf, windowId } from "../lib/this-window.ts";

/**
 * After a sale on this till, opens the drawer at once if a tender needs it. If this till always
 * prints, prints the receipt as soon as each line has an outcome or takes unusually long: the
 * receipt is the customer's only proof. Runs on every screen of the person. A lock or a reload
 * delays the receipt until the person is back.
 */
export function useAutoPrint(place: TillPlace, onPrint: (saleId: string) => Promise<void>): void {
  const queryClient = useQueryClient();
  const [waiting, setWaiting] = useState<readonly string[]>([]);
  const begin = useEffectEvent((sale: Sale) => {
    const shop = queryClient.getQueryData(statusQuery().queryKey)?.tenders;
    const opens = ({ amount, tendered = amount, ...tender }: Sale["tenders"][number]) =>
      tendered > 0 && opensDrawer(tender, shop);
    if (sale.tenders.some(opens)) {
      drawerRequests.notify({ reason: "SALE", id: sale.saleId });
    }
    if (getPrintSettings().rule === "always") {
      storeReceipt({ ...place, saleId: sale.saleId, soldAt: Date.now(), windowId: windowId() });
      setWaiting((now) => withSale(now, sale.saleId));
    }
  });
  useEffect(() => soldHere.subscribe((sale) => begin(sale)), []);

  const { staffId, environment, training } = place;
  useEffect(() => {
    let isGone = false;
    async function restore() {
      for (const receipt of listReceipts()) {
        const isHere = isAt({ staffId, environment, training }, receipt);
        if (isHere && (isOfThisWindow(receipt.windowId) || (await takePlaceOf(receipt.windowId)))) {
          if (!isGone) setWaiting((now) => withSale(now, receipt.saleId));
        }
      }
    }
    void restore();
    return () => {
      isGone = true;
    };
  }, [staffId, environment, training]);

  const sales = useQueries({ queries: waiting.map((saleId) => saleQuery(saleId)) });
  const settled = waiting.filter((_, index) => {
    const { data, error } = sales[index] ?? {};
    return data ? isKnown(data) : isRefusal(error);
  });
  const [done] = useState(() => new Set<string>());
  const settle = useEffectEvent((saleIds: readonly string[]) => {
    for (const saleId of saleIds.filter((id) => !done.has(id))) {
      done.add(saleId);
      removeReceipt(saleId);
      if (queryClient.getQueryData(saleQuery(saleId).queryKey)?.receiptsPrinted === 0) {
        // The print button shows the failure and offers to print again.
        void onPrint(saleId).catch(() => {});
      }
    }
    setWaiting((now) => now.filter((saleId) => !saleIds.includes(saleId)));
  });
  const settledKey = settled.join(" ");
  useEffect(() => {
    if (settledKey !== "") {
      queueMicrotask(() => settle(settledKey.split(" ")));
    }
  }, [settledKey]);
}

function withSale(saleIds: readonly string[], saleId: string): readonly string[] {
  return [...new Set([...saleIds, saleId])];
}

/** Returns whether each line has an outcome, or takes unusually long. */
function isKnown({ lines }: Sale): boolean {
  return lines.every(({ outcome }) => outcome !== "SENDING");
}

/** A receipt that is printed once its sale has an outcome. Each one has its own entry. */
interface WaitingReceipt extends TillPlace {
  readonly saleId: string;
  /** Milliseconds since the epoch by this till's clock. */
  readonly soldAt: number;
  readonly windowId: string;
}

const KEY_PREFIX = "tillgate.receipt.";
/** Age after which the customer has left without the receipt. */
const EXPIRY_MS = 15 * 60_000;

function storeReceipt(receipt: WaitingReceipt): void {
  try {
    localStorage.setItem(KEY_PREFIX + receipt.saleId, JSON.stringify(receipt));
  } catch {
    // Without storage, a reload loses the receipt. The sale itself is not affected.
  }
}

function removeReceipt(saleId: string): void {
  localStorage.removeItem(KEY_PREFIX + saleId);
}

/** Deletes expired receipts, and returns the others. */
function listReceipts(): WaitingReceipt[] {
  const keys = Object.keys(localStorage).filter((key) => key.startsWith(KEY_PREFIX));
  return keys.flatMap((key) => {
    const receipt = readReceipt(key);
    if (receipt && Date.now() - receipt.soldAt < EXPIRY_MS) {
      return [receipt];
    }
    localStorage.removeItem(key);
    return [];
  });
}

function readReceipt(key: string): WaitingReceipt | undefined {
  const stored = readJson(key);
  return hasKeys(stored, "saleId", "windowId") ? (stored as WaitingReceipt) : undefined;
}
