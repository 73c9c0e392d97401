import { Select } from "@mantine/core";
import { useTranslation } from "react-i18next";
import {
  FORMATS_OF,
  REPORT_KINDS,
  type ReportFormat,
  type ReportKind,
} from "../../../../server/contract/pos/shop-reports.ts";

interface Content {
  readonly kind: ReportKind;
  readonly format: ReportFormat;
}

interface ContentFieldsProps {
  readonly value: Content;
  readonly onChange: (value: Content) => void;
}

/** Fields for a report's kind and format. A change of the kind keeps the format if possible. */
export function ContentFields({ value, onChange }: ContentFieldsProps) {
  const { t } = useTranslation();
  const formats = FORMATS_OF[value.kind];
  return (
    <>
      <Select
        label={t("office.reports.kind")}
        data={REPORT_KINDS.map((kind) => ({ value: kind, label: t(`office.reports.of.${kind}`) }))}
        value={value.kind}
        onChange={(chosen) => {
          const kind = REPORT_KINDS.find((known) => known === chosen);
          if (!kind) return;
          const [first] = FORMATS_OF[kind];
          const format = FORMATS_OF[kind].includes(value.format) ? value.format : first;
          if (format) onChange({ kind, format });
        }}
      />
      {formats.length > 1 ? (
        <Select
          label={t("office.reports.format")}
          data={formats.map((format) => ({
            value: format,
            label: t(`office.reports.as.${format}`),
          }))}
          value={value.format}
          onChange={(chosen) => {
            const format = formats.find((known) => known === chosen);
            if (format) onChange({ kind: value.kind, format });
          }}
        />
      ) : null}
    </>
  );
}
