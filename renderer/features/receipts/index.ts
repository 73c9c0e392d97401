export type { Printed } from "./print-failure.ts";
export { openDrawer, printReceipt, printSheet } from "./print-receipt.tsx";
