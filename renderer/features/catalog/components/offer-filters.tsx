import { Select, TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { IconSearch } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { FAMILIES } from "../../../../server/contract/pos/families.ts";
import {
  type CatalogSummary,
  OFFER_STATES,
} from "../../../../server/contract/pos/office-catalog.ts";
import { kindWords } from "../../../lib/kind-words.ts";
import type { OfficeSearch } from "../../../lib/office-section.ts";
import { useFormat } from "../../../lib/use-format.ts";
import type { CatalogFilter } from "../api/catalog-queries.ts";
import classes from "./catalog-screen.module.css";

const TYPING_MS = 250;

/** What every list to choose from has. */
const LIST = { clearable: true, searchable: true, limit: 200 } as const;

interface OfferFiltersProps {
  readonly summary: CatalogSummary | undefined;
  readonly filter: CatalogFilter;
  readonly onFilter: (search: OfficeSearch) => void;
}

/** What is looked for: words, and the kinds of offers that there are. */
export function OfferFilters({ summary, filter, onFilter }: OfferFiltersProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const [text, setText] = useState(filter.text ?? "");
  const look = useDebouncedCallback(
    (words: string) => choose("text", words.trim() || null),
    TYPING_MS,
  );

  function choose(name: keyof CatalogFilter, value: string | null): void {
    const { [name]: _before, ...rest } = filter;
    onFilter({ ...rest, ...(value !== null && { [name]: value }) });
  }
  return (
    <search className={classes.filters}>
      <TextInput
        className={classes.words ?? ""}
        label={t("office.catalog.filter.text")}
        leftSection={<IconSearch size="1.25rem" aria-hidden="true" />}
        type="search"
        maxLength={100}
        value={text}
        onChange={({ currentTarget }) => {
          setText(currentTarget.value);
          look(currentTarget.value);
        }}
      />
      <Select
        {...LIST}
        label={t("office.catalog.filter.family")}
        value={filter.family ?? null}
        onChange={(value) => choose("family", value)}
        data={FAMILIES.map((value) => ({ value, label: t(`family.${value}.one`) }))}
      />
      <Select
        {...LIST}
        label={t("office.catalog.filter.country")}
        value={filter.country ?? null}
        onChange={(value) => choose("country", value)}
        data={(summary?.countries ?? []).map(({ code }) => ({
          value: code,
          label: format.country(code),
        }))}
      />
      <Select
        {...LIST}
        label={t("office.catalog.filter.brand")}
        value={filter.brand ?? null}
        onChange={(value) => choose("brand", value)}
        data={(summary?.brands ?? []).map(({ code, name }) => ({ value: code, label: name }))}
      />
      <Select
        {...LIST}
        label={t("office.catalog.filter.subType")}
        value={filter.subType ?? null}
        onChange={(value) => choose("subType", value)}
        data={(summary?.subTypes ?? []).map(({ code }) => ({
          value: code,
          label: kindWords(code, t),
        }))}
      />
      <Select
        clearable
        label={t("office.catalog.filter.state")}
        value={filter.state ?? null}
        onChange={(value) => choose("state", value)}
        data={OFFER_STATES.map((value) => ({ value, label: t(`office.catalog.state.${value}`) }))}
      />
    </search>
  );
}
