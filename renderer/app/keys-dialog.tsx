import { Switch } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { Dialog } from "../components/dialog/dialog.tsx";
import { useDeliveredSound } from "../lib/delivered-sound.ts";

interface KeysDialogProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly isOn: boolean;
  readonly onChange: (on: boolean) => void;
}

export function KeysDialog({ opened, onClose, isOn, onChange }: KeysDialogProps) {
  const { t } = useTranslation();
  const [isHeard, setHeard] = useDeliveredSound();
  return (
    <Dialog opened={opened} onClose={onClose} title={t("keys.title")}>
      <Switch
        data-autofocus
        classNames={{ body: "items-center touch" }}
        label={t("keys.single")}
        description={t("keys.hint")}
        checked={isOn}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
      <Switch
        classNames={{ body: "items-center touch" }}
        label={t("keys.sound")}
        description={t("keys.soundHint")}
        checked={isHeard}
        onChange={({ currentTarget }) => setHeard(currentTarget.checked)}
      />
    </Dialog>
  );
}
