export { ReceiptView } from "./components/receipt-view.tsx";
export { getPaperWidth, type PaperWidth, setPaperWidth, usePaperWidth } from "./paper-width.ts";
export { printReceipt } from "./print-receipt.tsx";
