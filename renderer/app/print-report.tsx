import type { QueryClient } from "@tanstack/react-query";
import { getI18n } from "react-i18next";
import { shiftOperations } from "../../server/contract/pos/shift-operations.ts";
import type { ZReportPrint } from "../../server/contract/pos/shifts.ts";
import { printersQuery } from "../features/receipts/api/printer-queries.ts";
import { printBlocks } from "../features/receipts/index.ts";
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
import { reportBlocks } from "./report-blocks.ts";

interface Failed {
  readonly print: ZReportPrint;
  readonly printId: string;
}

/** Reports that a printer did not take: the same print is tried again, not a copy of it. */
const failed = new Map<string, Failed>();

/**
 * Records the print of a Z report, which makes it the original or a numbered copy, and puts it on
 * paper in the shop's language.
 * @throws PrintError when the printer did not take it
 */
export async function printZReport(
  queryClient: QueryClient,
  approve: Approve,
  zNumber: number,
): Promise<void> {
  const { environment, timeZone } = await queryClient.ensureQueryData(statusQuery());
  const key = `${environment} ${zNumber}`;
  const { print, printId } = failed.get(key) ?? {
    print: await recordPrint(approve, zNumber),
    printId: newId(),
  };
  failed.set(key, { print, printId });
  const t = await wordsIn(print.language);
  await putOnPaper(queryClient, zReportText(print, timeZone, t), printId);
  failed.delete(key);
}

/** Puts how an open shift stands on paper. @throws PrintError when the printer did not take it */
export async function printXReport(queryClient: QueryClient, x: WholeX): Promise<void> {
  const status = await queryClient.ensureQueryData(statusQuery());
  await putOnPaper(queryClient, xReportText(x, status, await wordsIn(status.language)));
}

/**
 * Puts a short receipt on this till's paper, in the shop's language: everything of a receipt but a sale.
 * @throws PrintError when the printer did not take it
 */
export async function printTestReceipt(queryClient: QueryClient): Promise<void> {
  const { shopName, language } = await queryClient.ensureQueryData(statusQuery());
  const t = await wordsIn(language);
  const lines = [t("goLive.testReceipt.line"), "0123456789 áéíñç€ · العربية"];
  const report = { language, banners: [], shopName, title: t("goLive.testReceipt.title"), lines };
  await putOnPaper(queryClient, { ...report, sections: [] });
}

/** @throws PrintError while the words of a language cannot be fetched */
async function wordsIn(language: string): Promise<Translate> {
  if (!(await addLanguage(language))) throw new PrintError("FAILED");
  return getI18n().getFixedT(language);
}

function recordPrint(approve: Approve, zNumber: number): Promise<ZReportPrint> {
  return sendApproved(approve, `z-${zNumber}`, (approvalId) =>
    call(shiftOperations.printZReport, {
      params: { zNumber: String(zNumber) },
      query: { approvalId },
    }),
  );
}

async function putOnPaper(
  queryClient: QueryClient,
  report: ReportText,
  printId?: string,
): Promise<void> {
  const { list } = await queryClient.ensureQueryData(printersQuery()).catch(() => ({ list: [] }));
  const { printed, reason } = await printBlocks(
    {
      blocks: reportBlocks(report),
      language: report.language,
      draw: (paper) => <ReportPaper report={report} paperWidth={widthMm(paper)} />,
    },
    list,
    printId,
  );
  if (!printed && reason !== "CANCELLED") throw new PrintError(reason ?? "FAILED");
}
