import { Button, Select, TextInput } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { OFFICE_STATUSES } from "../../../../server/contract/pos/transaction-office.ts";
import type { OfficeSectionProps } from "../../../lib/office-section.ts";
import { transactionsQuery } from "../api/sales-office-queries.ts";
import { filterOf } from "../sales-search.ts";
import { DayFields } from "./day-fields.tsx";
import { Loaded } from "./loaded.tsx";
import classes from "./sales-office.module.css";
import { TransactionRow } from "./transaction-row.tsx";

interface FindViewProps extends Pick<OfficeSectionProps, "search" | "onSearch"> {
  /** Only what is still being sent, the oldest first. */
  readonly isWaiting: boolean;
}

/** Purchases of any day, found by whatever a customer has of one. */
export function FindView({ search, onSearch, isWaiting }: FindViewProps) {
  const { t } = useTranslation();
  const filter = isWaiting ? { status: "UNFINISHED" as const } : filterOf(search);
  const found = useInfiniteQuery(transactionsQuery(filter));
  const list = found.data?.pages.flatMap((page) => page.list) ?? [];
  return (
    <>
      {isWaiting ? (
        <p className={classes.soft}>{t("office.sales.waiting.intro")}</p>
      ) : (
        <Filters search={search} onSearch={onSearch} />
      )}
      <Loaded
        query={found}
        count={list.length}
        empty={t(isWaiting ? "office.sales.waiting.none" : "office.sales.none")}
      >
        <ul className={classes.list} aria-label={t("office.sales.list")}>
          {list.map((one) => (
            <TransactionRow
              key={one.transactionId}
              transaction={one}
              onOpen={() => onSearch({ ...search, id: one.transactionId })}
            />
          ))}
        </ul>
      </Loaded>
      {found.hasNextPage ? (
        <Button
          className={classes.more ?? ""}
          variant="default"
          loading={found.isFetchingNextPage}
          onClick={() => void found.fetchNextPage()}
        >
          {t("office.sales.more")}
        </Button>
      ) : null}
    </>
  );
}

function Filters({ search, onSearch }: Pick<OfficeSectionProps, "search" | "onSearch">) {
  const { t } = useTranslation();
  const [text, setText] = useState(search.typed ?? "");

  function put(name: "typed" | "status", value: string) {
    const { [name]: _, ...rest } = search;
    onSearch(value === "" ? rest : { ...rest, [name]: value });
  }

  return (
    <form
      className={classes.filters}
      aria-label={t("office.sales.view.find")}
      onSubmit={(event) => {
        event.preventDefault();
        put("typed", text.trim());
      }}
    >
      <TextInput
        type="search"
        label={t("office.sales.typed")}
        placeholder={t("office.sales.typedHint")}
        leftSection={<IconSearch size="1.25rem" aria-hidden="true" />}
        autoComplete="off"
        maxLength={128}
        value={text}
        onChange={({ currentTarget: { value } }) => {
          setText(value);
          if (value === "") {
            put("typed", "");
          }
        }}
      />
      <Button type="submit">{t("office.sales.find")}</Button>
      <Select
        label={t("office.sales.status")}
        placeholder={t("office.sales.everyStatus")}
        clearable
        clearButtonProps={{ "aria-label": t("office.sales.everyStatus") }}
        data={OFFICE_STATUSES.map((value) => ({
          value,
          label: t(`office.sales.state.${value}`),
        }))}
        value={filterOf(search).status ?? null}
        onChange={(status) => put("status", status ?? "")}
      />
      <DayFields search={search} onSearch={onSearch} />
    </form>
  );
}
