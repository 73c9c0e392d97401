import { useNavigate } from "@tanstack/react-router";
import { ReceiptTextForm } from "../../../features/receipts/components/receipt-text-form.tsx";
import { SettingsScreen } from "../../../features/settings/components/settings-screen.tsx";
import type { OfficeSectionProps } from "../../../lib/office-section.ts";

export function SettingsSection({ status, search, onSearch, onOpen }: OfficeSectionProps) {
  const navigate = useNavigate();
  return (
    <SettingsScreen
      status={status}
      search={search}
      onSearch={onSearch}
      onPlace={(to) => void navigate({ to })}
      onLive={() => onOpen("live")}
      receiptText={<ReceiptTextForm />}
    />
  );
}
