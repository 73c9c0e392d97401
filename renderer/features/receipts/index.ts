export type { ReceiptBlock } from "./blocks/receipt-block.ts";
export type { Printed } from "./print/print-failure.ts";
export { openDrawer, printBlocks, printReceipt } from "./print/print-receipt.tsx";
