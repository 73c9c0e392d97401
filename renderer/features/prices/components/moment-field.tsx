import { TextInput } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { Moment } from "../form-moments.ts";
import fieldClasses from "./price-fields.module.css";

interface MomentFieldProps {
  readonly label: string;
  readonly moment: Moment;
  readonly fault: string | undefined;
  readonly onChange: (moment: Moment) => void;
}

export function MomentField({ label, moment, fault, onChange }: MomentFieldProps) {
  const { t } = useTranslation();
  return (
    <div className={fieldClasses.moment}>
      <TextInput
        type="date"
        label={label}
        value={moment.day}
        error={fault}
        onChange={({ currentTarget }) => onChange({ ...moment, day: currentTarget.value })}
      />
      <TextInput
        type="time"
        label={t("office.prices.form.time")}
        aria-label={t("office.prices.form.timeOf", { label })}
        value={moment.time}
        onChange={({ currentTarget }) => onChange({ ...moment, time: currentTarget.value })}
      />
    </div>
  );
}
