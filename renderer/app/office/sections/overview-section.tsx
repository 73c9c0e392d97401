import { OverviewScreen } from "../../../features/figures/components/overview-screen.tsx";
import type { OfficeSectionProps } from "../../../lib/office-section.ts";

/** The owner's first page. */
export function OverviewSection({ status, onOpen }: OfficeSectionProps) {
  return <OverviewScreen timeZone={status.timeZone} onOpen={onOpen} />;
}
