/** A page with only one receipt, for tests that view or print it. */
import "../../../theme/fonts.css";
import { createRoot } from "react-dom/client";
import {
  type PrinterHead,
  type RollWidth,
  USUAL_HEADS,
} from "../../../../server/contract/pos/printers.ts";
import type { Receipt } from "../../../../server/contract/pos/sales.ts";
import { changePrintSettings, type Paper } from "../../../lib/print-settings.ts";
import { receiptBytes } from "../escpos/receipt-bytes.ts";
import { type Printed, printReceipt } from "../index.ts";
import { ReceiptView } from "../paper/receipt-view.tsx";

declare global {
  interface Window {
    receiptBytes(receipt: Receipt, head: RollWidth | PrinterHead, drawer: boolean): number[];
    showReceipt(receipt: Receipt, paper: Paper): void;
    printReceipt(receipt: Receipt, paper: Paper): Promise<Printed>;
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
window.receiptBytes = (receipt, head, drawer) => {
  const reaches = typeof head === "string" ? USUAL_HEADS[head] : head;
  return [...receiptBytes(receipt, { ...reaches, drawer })];
};
window.printReceipt = (receipt, paper) => {
  changePrintSettings({ paper });
  return printReceipt(receipt);
};
