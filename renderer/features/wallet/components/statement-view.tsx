import { Button, Select, Skeleton, TextInput } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useContext } from "react";
import { useTranslation } from "react-i18next";
import { POSTING_KINDS } from "../../../../server/contract/pos/wallet-office.ts";
import { QueryTrouble } from "../../../components/query-trouble.tsx";
import type { OfficeSectionProps } from "../../../lib/office-section.ts";
import { troubleOf } from "../../../lib/query-trouble.ts";
import { ShopTimeZoneContext, useFormat } from "../../../lib/use-format.ts";
import { useNow } from "../../../lib/use-now.ts";
import { statementQuery } from "../api/wallet-queries.ts";
import { fileOf, filterOf } from "../statement-filter.ts";
import { StatementRow } from "./statement-row.tsx";
import classes from "./wallet.module.css";

const MINUTE_MS = 60_000;

/** Every movement of the wallet, newest first, with the balance after it. */
export function StatementView({ session, search, onSearch, onOpen }: OfficeSectionProps) {
  const { t } = useTranslation();
  const filter = filterOf(search);
  const statement = useInfiniteQuery(statementQuery(filter));
  const pages = statement.data?.pages ?? [];
  const [first] = pages;
  const entries = pages.flatMap(({ list }) => list);
  return (
    <>
      <Filters search={search} onSearch={onSearch} />
      <QueryTrouble query={statement} />
      {statement.isPending && !troubleOf(statement) ? (
        <div role="status" aria-busy="true" aria-label={t("common.loading")}>
          <Skeleton height="12rem" radius="md" />
        </div>
      ) : null}
      {statement.isSuccess && entries.length === 0 ? (
        <p className={classes.soft}>{t("office.wallet.statement.empty")}</p>
      ) : null}
      {first && entries.length > 0 ? (
        <ol className={classes.entries} aria-label={t("office.wallet.statement.list")}>
          {entries.map((entry) => (
            <StatementRow
              key={entry.entryId}
              entry={entry}
              unit={first}
              environment={session.staff.role === "owner" ? first.environment : undefined}
              onOpen={session.rights.seeExpectedCash ? (id) => onOpen("sales", { id }) : undefined}
            />
          ))}
        </ol>
      ) : null}
      {statement.hasNextPage ? (
        <Button
          className={classes.more ?? ""}
          variant="default"
          loading={statement.isFetchingNextPage}
          onClick={() => void statement.fetchNextPage()}
        >
          {t("office.wallet.statement.more")}
        </Button>
      ) : null}
    </>
  );
}

function Filters({ search, onSearch }: Pick<OfficeSectionProps, "search" | "onSearch">) {
  const { t } = useTranslation();
  const format = useFormat();
  const timeZone = useContext(ShopTimeZoneContext);
  const filter = filterOf(search);
  const today = new Date(useNow(MINUTE_MS)).toLocaleDateString("sv-SE", { timeZone });
  const file = fileOf(filter, today);
  const day = (date: string) => format.date(`${date}T12:00:00Z`);

  function change(name: "kind" | "from" | "to", value: string | null) {
    const { [name]: _, ...rest } = search;
    onSearch(value ? { ...rest, [name]: value } : rest);
  }

  return (
    <div className={classes.filters}>
      <Select
        label={t("office.wallet.statement.kind")}
        placeholder={t("office.wallet.statement.everyKind")}
        clearable
        clearButtonProps={{ "aria-label": t("office.wallet.statement.everyKind") }}
        data={POSTING_KINDS.map((kind) => ({
          value: kind,
          label: t(`office.wallet.kind.${kind}`),
        }))}
        value={filter.kind ?? null}
        onChange={(kind) => change("kind", kind)}
      />
      <TextInput
        type="date"
        label={t("office.wallet.statement.from")}
        value={search.from ?? ""}
        onChange={({ currentTarget }) => change("from", currentTarget.value)}
      />
      <TextInput
        type="date"
        label={t("office.wallet.statement.to")}
        value={search.to ?? ""}
        onChange={({ currentTarget }) => change("to", currentTarget.value)}
      />
      <Button
        component="a"
        href={file.address}
        download
        variant="default"
        leftSection={<IconDownload size="1.25rem" aria-hidden="true" />}
        title={t("office.wallet.statement.fileDays", {
          from: day(file.firstDay),
          to: day(file.lastDay),
        })}
      >
        {t("office.wallet.statement.file")}
      </Button>
    </div>
  );
}
