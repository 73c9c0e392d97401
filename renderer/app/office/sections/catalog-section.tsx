import { CatalogScreen } from "../../../features/catalog/components/catalog-screen.tsx";
import type { OfficeSectionProps } from "../../../lib/office-section.ts";

/** What the shop sells: looked through, shown and hidden, put first. */
export function CatalogSection({ status, search, onSearch }: OfficeSectionProps) {
  const { environment } = status;
  return <CatalogScreen environment={environment} search={search} onSearch={onSearch} />;
}
