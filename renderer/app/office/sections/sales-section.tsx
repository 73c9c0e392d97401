import { useContext } from "react";
import { SalesScreen } from "../../../features/sales-office/components/sales-screen.tsx";
import { ZReportCard } from "../../../features/shift/components/z-report-card.tsx";
import type { OfficeSectionProps } from "../../../lib/office-section.ts";
import { PrintContext } from "../../../lib/print-context.ts";

export function SalesSection(props: OfficeSectionProps) {
  const { printSale, printZReport } = useContext(PrintContext);
  return (
    <SalesScreen
      {...props}
      onPrint={printSale}
      renderReport={(report) => (
        <ZReportCard key={report.zNumber} report={report} onPrint={printZReport} />
      )}
    />
  );
}
