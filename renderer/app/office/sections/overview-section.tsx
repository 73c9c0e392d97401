import { OverviewScreen } from "../../../features/figures/components/overview-screen.tsx";
import { isOfficeOnly } from "../../../lib/has-office.ts";
import type { OfficeSectionProps } from "../../../lib/office-section.ts";

/** The owner's first page. */
export function OverviewSection({ session, status, onOpen }: OfficeSectionProps) {
  return <OverviewScreen day={status} hasTill={!isOfficeOnly(session)} onOpen={onOpen} />;
}
