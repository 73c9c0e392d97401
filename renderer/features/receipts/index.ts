export type { Printed } from "./print-failure.ts";
export { openDrawer, printBlocks, printReceipt } from "./print-receipt.tsx";
export type { ReceiptBlock } from "./receipt-block.ts";
