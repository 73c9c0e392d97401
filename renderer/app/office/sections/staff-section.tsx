import { AuditScreen } from "../../../features/audit/components/audit-screen.tsx";
import { StaffScreen } from "../../../features/staff/components/staff-screen.tsx";
import type { OfficeSectionProps } from "../../../lib/office-section.ts";

export function StaffSection({ session, search, onSearch }: OfficeSectionProps) {
  return search.view === "trail" ? (
    <AuditScreen onBack={() => onSearch({})} />
  ) : (
    <StaffScreen ownStaffId={session.staff.staffId} onTrail={() => onSearch({ view: "trail" })} />
  );
}
