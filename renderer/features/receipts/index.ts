export type { Printed } from "./print-failure.ts";
export { openDrawer, printReceipt } from "./print-receipt.tsx";
