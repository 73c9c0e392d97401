import { getI18n } from "react-i18next";
import type { ZReportPrint } from "../../server/contract/pos/shifts.ts";
import { type Approve, sendApproved } from "../components/approval/approval-context.ts";
import { printSheet } from "../features/receipts/index.ts";
import { ZReportPaper } from "../features/shift/components/z-report-paper.tsx";
import { request } from "../lib/api-client.ts";
import { widthMm } from "../lib/print-settings.ts";

/**
 * Records the print of a Z report, which makes it the original or a numbered copy, and puts it on
 * paper in the shop's language.
 * @throws when the printer did not take it; the print stays recorded, so the next is a copy.
 */
export async function printZReport(approve: Approve, zNumber: number): Promise<void> {
  const print = await sendApproved(approve, `z-${zNumber}`, (approvalId) =>
    request<ZReportPrint>("POST", `/pos/z-reports/${zNumber}/prints`, { query: { approvalId } }),
  );
  const t = getI18n().getFixedT(print.language);
  const { printed, reason } = await printSheet((paper) => (
    <ZReportPaper print={print} t={t} paperWidth={widthMm(paper)} />
  ));
  if (!printed && reason !== "CANCELLED") throw new Error(`the report was not printed: ${reason}`);
}
