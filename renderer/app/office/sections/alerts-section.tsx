import { AlertsScreen } from "../../../features/alerts/components/alerts-screen.tsx";
import type { OfficeSectionProps } from "../../../lib/office-section.ts";

/** What waits for a person to see to it. */
export function AlertsSection({ session, search, onSearch, onOpen }: OfficeSectionProps) {
  const isOwner = session.staff.role === "owner";
  return <AlertsScreen isOwner={isOwner} search={search} onSearch={onSearch} onOpen={onOpen} />;
}
