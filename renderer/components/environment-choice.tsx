import { SegmentedControl } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { ENVIRONMENTS, type Environment } from "../../server/contract/common.ts";

interface EnvironmentChoiceProps {
  readonly value: Environment;
  readonly onChange: (environment: Environment) => void;
}

export function EnvironmentChoice({ value, onChange }: EnvironmentChoiceProps) {
  const { t } = useTranslation();
  return (
    <SegmentedControl<Environment>
      aria-label={t("office.settings.environment")}
      value={value}
      onChange={onChange}
      data={ENVIRONMENTS.map((environment) => ({
        value: environment,
        label: t(`office.settings.env.${environment}`),
      }))}
    />
  );
}
