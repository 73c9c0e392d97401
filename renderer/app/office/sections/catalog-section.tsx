import { CatalogScreen } from "../../../features/catalog/components/catalog-screen.tsx";
import type { OfficeSectionProps } from "../../../lib/office-section.ts";

export function CatalogSection({ session, status, search, onSearch }: OfficeSectionProps) {
  const { environment } = status;
  const isOwner = session.staff.role === "owner";
  return <CatalogScreen {...{ environment, isOwner, search, onSearch }} />;
}
