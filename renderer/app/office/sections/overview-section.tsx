import { OverviewScreen } from "../../../features/figures/components/overview-screen.tsx";
import { isOfficeOnly } from "../../../lib/has-office.ts";
import type { OfficeSectionProps } from "../../../lib/office-section.ts";

export function OverviewSection(props: OfficeSectionProps) {
  const { session, status, search, onSearch, onOpen } = props;
  return (
    <OverviewScreen
      day={status}
      hasTill={!isOfficeOnly(session)}
      seesFigures={session.rights.seeFigures}
      isOwner={session.staff.role === "owner"}
      search={search}
      onSearch={onSearch}
      onOpen={onOpen}
    />
  );
}
