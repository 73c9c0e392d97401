import type { ReactNode } from "react";
import type { ZReport } from "../../../server/contract/pos/shifts.ts";
import type { OfficeSectionProps } from "../../lib/office-section.ts";

export interface SalesScreenProps extends OfficeSectionProps {
  readonly onPrint: (saleId: string) => Promise<void>;
  readonly renderReport: (report: ZReport) => ReactNode;
}
