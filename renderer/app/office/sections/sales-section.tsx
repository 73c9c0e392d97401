import { useQueryClient } from "@tanstack/react-query";
import { SalesScreen } from "../../../features/sales-office/components/sales-screen.tsx";
import { ZReportCard } from "../../../features/shift/components/z-report-card.tsx";
import { useApproval } from "../../../lib/approval-context.ts";
import type { OfficeSectionProps } from "../../../lib/office-section.ts";
import { printZReport } from "../../print-report.tsx";
import { printSaleReceipt } from "../../printing.ts";

/** What was sold, and what waits for a decision. */
export function SalesSection(props: OfficeSectionProps) {
  const queryClient = useQueryClient();
  const approve = useApproval();
  return (
    <SalesScreen
      {...props}
      onPrint={(saleId) => printSaleReceipt(queryClient, approve, saleId)}
      renderReport={(report) => (
        <ZReportCard
          key={report.zNumber}
          report={report}
          onPrint={(zNumber) => printZReport(queryClient, approve, zNumber)}
        />
      )}
    />
  );
}
