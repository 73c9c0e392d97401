import { WalletScreen } from "../../../features/wallet/components/wallet-screen.tsx";
import type { OfficeSectionProps } from "../../../lib/office-section.ts";

export function WalletSection(props: OfficeSectionProps) {
  return <WalletScreen {...props} />;
}
