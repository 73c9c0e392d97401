import { FiguresScreen } from "../../../features/figures/components/figures-screen.tsx";
import { isOfficeOnly } from "../../../lib/has-office.ts";
import type { OfficeSectionProps } from "../../../lib/office-section.ts";

/** The shop's figures of any days, and the rows behind them. */
export function FiguresSection({ session, status, search, onSearch, onOpen }: OfficeSectionProps) {
  return (
    <FiguresScreen
      environment={session.environment}
      day={status}
      unit={status}
      isOwner={session.staff.role === "owner"}
      hasTill={!isOfficeOnly(session)}
      search={search}
      onSearch={onSearch}
      onOpen={onOpen}
    />
  );
}
