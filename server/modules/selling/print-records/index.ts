export {
  beginPrint,
  countReceiptPrints,
  findPrintRecord,
  markPrinted,
  noteGranted,
  prunePrintRecords,
  recordPrint,
} from "./print-records.ts";
