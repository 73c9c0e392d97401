import { SegmentedControl } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { DRAWER_PINS, type DrawerPin } from "../../../../server/contract/pos/printers.ts";

interface DrawerPinChoiceProps {
  readonly pin: DrawerPin;
  readonly disabled?: boolean;
  readonly onPin: (pin: DrawerPin) => void;
}

/** The pin of the printer's drawer connector that opens the drawer. */
export function DrawerPinChoice({ pin, disabled = false, onPin }: DrawerPinChoiceProps) {
  const { t } = useTranslation();
  return (
    <SegmentedControl
      aria-label={t("printing.drawerPin")}
      disabled={disabled}
      data={DRAWER_PINS.map((value) => ({
        value: String(value),
        label: t("printing.drawerOnPin", { pin: value }),
      }))}
      value={String(pin)}
      onChange={(value) => onPin(value === "5" ? 5 : 2)}
    />
  );
}
