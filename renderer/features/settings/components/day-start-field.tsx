import { Select } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { DAY_START_STEP, LATEST_DAY_START } from "../../../../server/contract/pos/shop-day.ts";
import { timeOfDay } from "../../../lib/time-of-day.ts";

const STARTS = Array.from({ length: LATEST_DAY_START / DAY_START_STEP + 1 }, (_, index) => ({
  value: String(index * DAY_START_STEP),
  label: timeOfDay(index * DAY_START_STEP),
}));

interface DayStartFieldProps {
  /** Minutes after midnight. */
  readonly value: number;
  readonly onChange: (value: number) => void;
}

/** When the shop's day begins. */
export function DayStartField({ value, onChange }: DayStartFieldProps) {
  const { t } = useTranslation();
  return (
    <Select
      label={t("office.settings.shop.dayStartsAt")}
      description={t("office.settings.shop.dayStartsAtHint")}
      allowDeselect={false}
      data={STARTS}
      value={String(value)}
      onChange={(chosen) => onChange(Number(chosen ?? value))}
    />
  );
}
