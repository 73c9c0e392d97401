import { Select } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { ConfirmNumber } from "../../../../server/contract/pos/number-check.ts";

const CHOICES = ["NEVER", "NEW", "ALWAYS"] as const satisfies readonly ConfirmNumber[];

interface ConfirmNumberFieldProps {
  readonly value: ConfirmNumber;
  readonly onChange: (value: ConfirmNumber) => void;
}

/** When customers confirm the number of a top-up on their display. */
export function ConfirmNumberField({ value, onChange }: ConfirmNumberFieldProps) {
  const { t } = useTranslation();
  return (
    <Select
      label={t("office.settings.sales.confirmNumber.label")}
      description={t("office.settings.sales.confirmNumber.hint")}
      allowDeselect={false}
      data={CHOICES.map((choice) => ({
        value: choice,
        label: t(`office.settings.sales.confirmNumber.${choice}`),
      }))}
      value={value}
      onChange={(chosen) => onChange(CHOICES.find((choice) => choice === chosen) ?? value)}
    />
  );
}
