import { PricesScreen } from "../../../features/prices/components/prices-screen.tsx";
import type { OfficeSectionProps } from "../../../lib/office-section.ts";

export function PricesSection(props: OfficeSectionProps) {
  return <PricesScreen {...props} />;
}
