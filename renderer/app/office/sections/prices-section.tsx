import { PricesScreen } from "../../../features/prices/components/prices-screen.tsx";
import type { OfficeSectionProps } from "../../../lib/office-section.ts";

/** The rules of the shop's prices. */
export function PricesSection(props: OfficeSectionProps) {
  return <PricesScreen {...props} />;
}
