export { ReceiptView } from "./components/receipt-view.tsx";
export { type PaperWidth, usePaperWidth } from "./paper-width.ts";
export { printReceipt } from "./print-receipt.tsx";
