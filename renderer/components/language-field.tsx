import { Select, type SelectProps } from "@mantine/core";
import type { Language } from "../../server/contract/pos/setup.ts";
import { isLanguage, LANGUAGE_NAMES } from "../lib/i18n.ts";

const LANGUAGES = Object.entries(LANGUAGE_NAMES).map(([value, label]) => ({ value, label }));

interface LanguageFieldProps extends Omit<SelectProps, "data" | "value" | "onChange"> {
  readonly value: string;
  readonly onChange: (language: Language) => void;
}

export function LanguageField({ onChange, ...rest }: LanguageFieldProps) {
  return (
    <Select
      allowDeselect={false}
      {...rest}
      data={LANGUAGES}
      onChange={(chosen) => {
        if (isLanguage(chosen)) onChange(chosen);
      }}
    />
  );
}
