import { dateOf } from "../../../../server/contract/pos/shop-day.ts";
import { ReportsScreen } from "../../../features/reports/components/reports-screen.tsx";
import type { OfficeSectionProps } from "../../../lib/office-section.ts";

const DAY_MS = 86_400_000;

/** Reports as files, by themselves and by mail. */
export function ReportsSection({ session, status, search, onSearch }: OfficeSectionProps) {
  const yesterday = dateOf(Date.now(), status.timeZone) - 1;
  return (
    <ReportsScreen
      isOwner={session.staff.role === "owner"}
      yesterday={new Date(yesterday * DAY_MS).toISOString().slice(0, 10)}
      environment={session.environment}
      search={search}
      onSearch={onSearch}
    />
  );
}
