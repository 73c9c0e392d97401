import { DevicesScreen } from "../../../features/devices/components/devices-screen.tsx";
import type { OfficeSectionProps } from "../../../lib/office-section.ts";

/** Devices of the shop's network, and their enrolment. */
export function DevicesSection({ onOpen }: OfficeSectionProps) {
  return <DevicesScreen onFirewall={() => onOpen("settings", { view: "network" })} />;
}
