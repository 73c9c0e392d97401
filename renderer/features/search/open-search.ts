import { spotlight } from "@mantine/spotlight";

/** The same as Ctrl+K, for a finger. */
export function openSearch(): void {
  spotlight.open();
}
