export {
  changePrintSettings,
  getPrintSettings,
  PAPERS,
  type Paper,
  PRINT_RULES,
  usePrintSettings,
} from "./paper.ts";
export { printReceipt } from "./print-receipt.tsx";
