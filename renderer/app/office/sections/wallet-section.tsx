import { WalletScreen } from "../../../features/wallet/components/wallet-screen.tsx";
import type { OfficeSectionProps } from "../../../lib/office-section.ts";

/** What the shop buys with. */
export function WalletSection(props: OfficeSectionProps) {
  return <WalletScreen {...props} />;
}
