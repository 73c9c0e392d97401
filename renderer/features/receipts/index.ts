export {
  changePrintSettings,
  PAPERS,
  type Paper,
  usePrintSettings,
} from "./paper.ts";
export { printReceipt } from "./print-receipt.tsx";
