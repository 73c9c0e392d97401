import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { type Receipt, saleOperations } from "../../server/contract/pos/sales.ts";
import type { Shift } from "../../server/contract/pos/shifts.ts";
import type { PosSession } from "../../server/contract/pos/staff.ts";
import { printersQuery } from "../features/receipts/api/printer-queries.ts";
import { openDrawer, printReceipt } from "../features/receipts/index.ts";
import { findChosenPrinter, requirePrinted } from "../features/receipts/print/chosen-printer.ts";
import { currentShiftQuery } from "../features/shift/api/shift-queries.ts";
import { call } from "../lib/api-client.ts";
import { type Approve, sendApproved } from "../lib/approval-context.ts";
import { isOfficeOnly } from "../lib/has-office.ts";
import { shortcutOf } from "../lib/key-edge.ts";
import { drawerRequests } from "../lib/listeners.ts";
import { newId } from "../lib/new-id.ts";
import { queryKeyOf } from "../lib/operation-query.ts";
import { saleQuery } from "../lib/pos-queries.ts";
import { PrintError } from "../lib/print-error.ts";
import { getReceiptLanguage } from "../lib/receipt-language.ts";
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
