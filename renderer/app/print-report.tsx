import type { QueryClient } from "@tanstack/react-query";
import { getI18n } from "react-i18next";
import type { Printer } from "../../server/contract/pos/printers.ts";
import { shiftOperations, type ZReportPrint } from "../../server/contract/pos/shifts.ts";
import { printBlocks, type ReceiptBlock } from "../features/receipts/index.ts";
import { findChosenPrinter, requirePrinted } from "../features/receipts/print/chosen-printer.ts";
import { ReportPaper } from "../features/shift/components/report-paper.tsx";
import { type ReportText, xReportText, zReportText } from "../features/shift/report-text.ts";
import type { WholeX } from "../features/shift/whole-x.ts";
import { call } from "../lib/api-client.ts";
import { type Approve, sendApproved } from "../lib/approval-context.ts";
import { addLanguage, type Translate } from "../lib/i18n.ts";
import { newId } from "../lib/new-id.ts";
import { statusQuery } from "../lib/pos-queries.ts";
import { PrintError } from "../lib/print-error.ts";
import { widthMm } from "../lib/print-settings.ts";

/**
 * Records a print of a Z report as the original or as a numbered copy, and prints the report in the
 * shop's language. A print that fails before its first byte is not counted.
 * @throws PrintError if the printer did not print the report
 */
export async function printZReport(
  queryClient: QueryClient,
  approve: Approve,
  zNumber: number,
): Promise<void> {
  const { timeZone } = await queryClient.ensureQueryData(statusQuery());
  const printer = await findChosenPrinter(queryClient);
  const printId = newId();
  const print = await recordPrint(approve, zNumber, printId);
  const t = await wordsIn(print.language);
  await putOnPaper(printer, zReportText(print, timeZone, t), printId);
}

/** @throws PrintError if the printer did not print the figures */
export async function printXReport(queryClient: QueryClient, x: WholeX): Promise<void> {
  const status = await queryClient.ensureQueryData(statusQuery());
  const printer = await findChosenPrinter(queryClient);
  await putOnPaper(printer, xReportText(x, status, await wordsIn(status.language)));
}

/**
 * Prints a short test receipt in the shop's language, with every part of a receipt except a sale.
 * @throws PrintError if the printer did not print the receipt
 */
export async function printTestReceipt(queryClient: QueryClient): Promise<void> {
  const { shopName, language } = await queryClient.ensureQueryData(statusQuery());
  const t = await wordsIn(language);
  const lines = [t("goLive.testReceipt.line"), "0123456789 áéíñç€ · العربية"];
  const report = { language, banners: [], shopName, title: t("goLive.testReceipt.title"), lines };
  await putOnPaper(await findChosenPrinter(queryClient), { ...report, sections: [] });
}

/** @throws PrintError if the texts of the language do not load */
async function wordsIn(language: string): Promise<Translate> {
  if (!(await addLanguage(language))) throw new PrintError("FAILED");
  return getI18n().getFixedT(language);
}

function recordPrint(approve: Approve, zNumber: number, printId: string): Promise<ZReportPrint> {
  return sendApproved(approve, `z-${zNumber}`, (approvalId) =>
    call(shiftOperations.printZReport, {
      params: { zNumber: String(zNumber) },
      query: { approvalId, printId },
    }),
  );
}

async function putOnPaper(
  printer: Printer | undefined,
  report: ReportText,
  printId?: string,
): Promise<void> {
  const printed = await printBlocks(
    {
      blocks: reportBlocks(report),
      language: report.language,
      draw: (paper) => <ReportPaper report={report} paperWidth={widthMm(paper)} />,
    },
    printer,
    printId,
  );
  requirePrinted(printed);
}

function reportBlocks(report: ReportText): ReceiptBlock[] {
  const { banners, shopName, title, lines, verdict, sections } = report;
  return [
    ...banners.map((text): ReceiptBlock => ({ kind: "banner", text })),
    { kind: "text", text: shopName, size: "shop", bold: true, center: true },
    { kind: "text", text: title, size: "large", bold: true, center: true },
    ...lines.map((text): ReceiptBlock => ({ kind: "text", text, center: true })),
    ...(verdict === undefined
      ? []
      : [
          { kind: "rule", heavy: true } as const,
          { kind: "text", text: verdict, bold: true, center: true } as const,
        ]),
    ...sections.flatMap(({ title: heading, rows }): ReceiptBlock[] => [
      { kind: "rule" },
      { kind: "text", text: heading, bold: true },
      ...rows.map(({ label, value, strong = false }): ReceiptBlock => {
        return { kind: "pair", label, value, bold: strong };
      }),
    ]),
  ];
}
