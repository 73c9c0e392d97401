import { ProvidersScreen } from "../../../features/going-live/components/providers/providers-screen.tsx";
import type { OfficeSectionProps } from "../../../lib/office-section.ts";

export function ProvidersSection(props: OfficeSectionProps) {
  return <ProvidersScreen {...props} />;
}
