import { dateOf } from "../../../../server/contract/pos/shop-day.ts";
import { ReportsScreen } from "../../../features/reports/components/reports-screen.tsx";
import { late } from "../../../lib/late.tsx";
import type { OfficeSectionProps } from "../../../lib/office-section.ts";
import { useNow } from "../../../lib/use-now.ts";

const LateAuditScreen = late(
  async () => (await import("../../../features/audit/components/audit-screen.tsx")).AuditScreen,
);
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Reports as files, by themselves and by mail. */
export function ReportsSection({ session, status, search, onSearch }: OfficeSectionProps) {
  const now = useNow(HOUR_MS);
  const yesterday = dateOf(now, status) - 1;
  return (
    <ReportsScreen
      role={session.staff.role}
      trail={<LateAuditScreen onBack={() => onSearch({})} />}
      yesterday={new Date(yesterday * DAY_MS).toISOString().slice(0, 10)}
      environment={session.environment}
      search={search}
      onSearch={onSearch}
    />
  );
}
