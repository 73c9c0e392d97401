/**
 * A page with one receipt and nothing of the till, for the tests that look at it and print it.
 */
import { createRoot } from "react-dom/client";
import type { PrintResult } from "../../../../electron/ipc/ipc-map.ts";
import type { Receipt } from "../../../../server/contract/pos/sales.ts";
import { ReceiptView } from "../components/receipt-view.tsx";
import { type Paper, printReceipt } from "../index.ts";
import { changePrintSettings } from "../paper.ts";

declare global {
  interface Window {
    showReceipt(receipt: Receipt, paper: Paper): void;
    printReceipt(receipt: Receipt, paper: Paper): Promise<PrintResult>;
  }
}

const host = document.getElementById("root");
if (host === null) {
  throw new Error("The page has no element to show the receipt in.");
}
const root = createRoot(host);

window.showReceipt = (receipt, paper) => {
  root.render(<ReceiptView receipt={receipt} paper={paper} />);
};
window.printReceipt = (receipt, paper) => {
  changePrintSettings({ paper });
  return printReceipt(receipt);
};
