import { dateOf } from "../../../../server/contract/pos/shop-day.ts";
import { FiguresScreen } from "../../../features/figures/components/figures-screen.tsx";
import { ReportsScreen } from "../../../features/reports/components/reports-screen.tsx";
import { viewOf, viewsFor } from "../../../features/reports/report-views.ts";
import { useNow } from "../../../lib/gateway-clock.ts";
import { isOfficeOnly } from "../../../lib/has-office.ts";
import { late } from "../../../lib/late.tsx";
import type { OfficeSectionProps } from "../../../lib/office-section.ts";

const LateAuditScreen = late(
  async () => (await import("../../../features/audit/components/audit-screen.tsx")).AuditScreen,
);
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

export function ReportsSection(props: OfficeSectionProps) {
  const { session, status, search, onSearch, onOpen } = props;
  const now = useNow(HOUR_MS);
  const { role } = session.staff;
  const files = viewOf(search, viewsFor(role));
  if (search.view === "trail" && viewsFor(role).includes("trail")) {
    return <LateAuditScreen onBack={() => onSearch({})} />;
  }
  return files === undefined ? (
    <FiguresScreen
      day={status}
      unit={status}
      role={role}
      hasTill={!isOfficeOnly(session)}
      search={search}
      onSearch={onSearch}
      onOpen={onOpen}
    />
  ) : (
    <ReportsScreen
      role={role}
      view={files}
      yesterday={new Date((dateOf(now, status) - 1) * DAY_MS).toISOString().slice(0, 10)}
      onSearch={onSearch}
    />
  );
}
