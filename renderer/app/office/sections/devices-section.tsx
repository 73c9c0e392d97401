import { DevicesScreen } from "../../../features/devices/components/devices-screen.tsx";
import type { OfficeSectionProps } from "../../../lib/office-section.ts";

export function DevicesSection({ onOpen }: OfficeSectionProps) {
  return <DevicesScreen onFirewall={() => onOpen("settings", { view: "network" })} />;
}
