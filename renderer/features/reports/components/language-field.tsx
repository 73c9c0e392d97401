import { Select } from "@mantine/core";
import { LANGUAGES, type Language } from "../../../../server/contract/pos/setup.ts";
import { LANGUAGE_NAMES } from "../../../lib/i18n.ts";

interface LanguageFieldProps {
  readonly label: string;
  readonly value: Language;
  readonly onChange: (language: Language) => void;
}

export function LanguageField({ label, value, onChange }: LanguageFieldProps) {
  return (
    <Select
      label={label}
      data={LANGUAGES.map((language) => ({ value: language, label: LANGUAGE_NAMES[language] }))}
      value={value}
      onChange={(chosen) => {
        const language = LANGUAGES.find((known) => known === chosen);
        if (language) onChange(language);
      }}
    />
  );
}
