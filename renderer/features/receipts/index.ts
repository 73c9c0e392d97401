export { type PaperWidth, usePaperWidth } from "./paper-width.ts";
export { printReceipt } from "./print-receipt.tsx";
