import { BulkScreen } from "../../../features/bulk/components/bulk-screen.tsx";
import type { OfficeSectionProps } from "../../../lib/office-section.ts";

export function BulkSection({ session, search, onSearch }: OfficeSectionProps) {
  return <BulkScreen session={session} search={search} onSearch={onSearch} />;
}
