import { type QueryClient, useQueries, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useEffectEvent, useState } from "react";
import { type Receipt, type Sale, saleOperations } from "../../server/contract/pos/sales.ts";
import type { Shift } from "../../server/contract/pos/shifts.ts";
import type { PosSession } from "../../server/contract/pos/staff.ts";
import { isAt } from "../features/counter/sale/attempt/attempt-store.ts";
import type { TillPlace } from "../features/counter/sale/attempt/till.ts";
import { printersQuery } from "../features/receipts/api/printer-queries.ts";
import { openDrawer, printReceipt } from "../features/receipts/index.ts";
import { findChosenPrinter, requirePrinted } from "../features/receipts/print/chosen-printer.ts";
import { currentShiftQuery } from "../features/shift/api/shift-queries.ts";
import { call, isRefusal } from "../lib/api-client.ts";
import { type Approve, sendApproved } from "../lib/approval-context.ts";
import { hasKeys, readJson } from "../lib/browser-storage.ts";
import { isOfficeOnly } from "../lib/has-office.ts";
import { shortcutOf } from "../lib/key-edge.ts";
import { drawerRequests, soldHere } from "../lib/listeners.ts";
import { newId } from "../lib/new-id.ts";
import { queryKeyOf } from "../lib/operation-query.ts";
import { saleQuery, statusQuery } from "../lib/pos-queries.ts";
import { PrintError } from "../lib/print-error.ts";
import { getPrintSettings } from "../lib/print-settings.ts";
import { getReceiptLanguage } from "../lib/receipt-language.ts";
import { opensDrawer } from "../lib/tender-name.ts";
import { isOfThisWindow, takePlaceOf, windowId } from "../lib/this-window.ts";
import { useScreenKeys } from "../lib/use-screen-keys.ts";

/** @throws PrintError if the script cannot be loaded */
export function fetchReports() {
  return import("./print-report.tsx").catch(() => {
    throw new PrintError("FAILED");
  });
}

/**
 * Records the print and prints the sale's current state. The gateway decides whether the print is
 * the original or a numbered copy. A print that fails before its first byte is not counted.
 * @throws PrintError if the printer did not print the receipt
 */
export async function printSaleReceipt(
  queryClient: QueryClient,
  approve: Approve,
  saleId: string,
): Promise<void> {
  const printer = await findChosenPrinter(queryClient);
  const printId = newId();
  try {
    const receipt = await recordPrint(approve, saleId, printId);
    requirePrinted(await printReceipt(receipt, printer, printId));
  } finally {
    // Queries the sale again, because even a failed print may count. Also removes the receipt's
    // secrets from the screen's data.
    void queryClient.invalidateQueries({ queryKey: saleQuery(saleId).queryKey });
    void queryClient.invalidateQueries({ queryKey: queryKeyOf(saleOperations.list) });
  }
}

function recordPrint(approve: Approve, saleId: string, printId: string): Promise<Receipt> {
  return sendApproved(approve, saleId, (approvalId) =>
    call(saleOperations.print, {
      params: { saleId },
      query: { approvalId, language: getReceiptLanguage(saleId), printId },
    }),
  );
}

/**
 * Opens the drawer of this till for each booking that needs an open drawer, on any screen. Alt+O
 * opens the drawer without a sale, with a reason. A person without an open shift sees the form that
 * opens a shift.
 * @param session the signed-in person; without permission to sell, Alt+O has no effect
 */
export function useDrawer(session: PosSession | null | undefined) {
  const isSeller = session ? !isOfficeOnly(session) : false;
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const [shift, setShift] = useState<Shift>();

  function ask(): void {
    void queryClient
      .ensureQueryData(currentShiftQuery())
      .catch(() => undefined)
      .then((current) => (current?.shift ? setShift(current.shift) : navigate({ to: "/shift" })));
  }

  useEffect(
    () =>
      drawerRequests.subscribe((cause) => {
        void queryClient
          .ensureQueryData(printersQuery())
          .then(({ list }) => openDrawer(list, cause))
          // The clerk can open the drawer with its metal key if this fails.
          .catch(() => {});
      }),
    [queryClient],
  );

  useScreenKeys((event) => {
    if (isSeller && shortcutOf(event) === "KeyO") {
      event.preventDefault();
      ask();
    }
  });

  return { shift, ask, close: () => setShift(undefined) };
}

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
