import { TextInput } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { OfficeSectionProps } from "../../../lib/office-section.ts";

export function DayFields({ search, onSearch }: Pick<OfficeSectionProps, "search" | "onSearch">) {
  const { t } = useTranslation();
  return (["from", "to"] as const).map((name) => (
    <TextInput
      key={name}
      type="date"
      label={t(`office.sales.${name}`)}
      value={search[name] ?? ""}
      onChange={({ currentTarget: { value } }) => {
        const { [name]: _, ...rest } = search;
        onSearch(value === "" ? rest : { ...rest, [name]: value });
      }}
    />
  ));
}
