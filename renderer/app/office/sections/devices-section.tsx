import { DevicesScreen } from "../../../features/devices/components/devices-screen.tsx";
import type { OfficeSectionProps } from "../../../lib/office-section.ts";

/** The devices of the shop's network, and how another one is let in. */
export function DevicesSection({ onOpen }: OfficeSectionProps) {
  return <DevicesScreen onFirewall={() => onOpen("settings", { view: "network" })} />;
}
