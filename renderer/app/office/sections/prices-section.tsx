import { PricesScreen } from "../../../features/prices/components/prices-screen.tsx";
import type { OfficeSectionProps } from "../../../lib/office-section.ts";

/** How the shop's prices are made. */
export function PricesSection(props: OfficeSectionProps) {
  return <PricesScreen {...props} />;
}
