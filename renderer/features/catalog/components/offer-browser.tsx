import { Button } from "@mantine/core";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Environment } from "../../../../server/contract/common.ts";
import type { CatalogSwitch, SwitchInput } from "../../../../server/contract/pos/office-catalog.ts";
import { ErrorNotice } from "../../../components/notice.tsx";
import { QueryTrouble } from "../../../components/query-trouble.tsx";
import { errorWords } from "../../../lib/error-words.ts";
import type { OfficeSectionProps } from "../../../lib/office-section.ts";
import { useFormat } from "../../../lib/use-format.ts";
import { offersQuery, summaryQuery } from "../api/catalog-queries.ts";
import { filterOf, targetOf } from "../offer-filter.ts";
import { useChoices } from "../use-choices.ts";
import classes from "./catalog-screen.module.css";
import { OfferFilters } from "./offer-filters.tsx";
import { OfferList } from "./offer-list.tsx";
import { SwitchDialog } from "./switch-dialog.tsx";
import { SwitchedNotice } from "./switched-notice.tsx";

type OfferBrowserProps = Pick<OfficeSectionProps, "search" | "onSearch"> & {
  readonly environment: Environment;
};

/** Every offer, by what is looked for; shown and hidden one by one or together. */
export function OfferBrowser({ environment, search, onSearch }: OfferBrowserProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const filter = filterOf(search);
  const summary = useQuery(summaryQuery(environment));
  const offers = useInfiniteQuery(offersQuery(environment, filter));
  const [asked, setAsked] = useState<SwitchInput>();
  const [made, setMade] = useState<CatalogSwitch>();
  const choices = useChoices(environment);
  const rows = offers.data?.pages.flatMap(({ list }) => list) ?? [];
  const total = offers.data?.pages[0]?.total;
  const target = targetOf(filter);
  return (
    <>
      <OfferFilters summary={summary.data} filter={filter} onFilter={onSearch} />
      {made ? (
        <SwitchedNotice
          key={made.sequence}
          {...{ environment, made }}
          onUndone={() => setMade(undefined)}
        />
      ) : null}
      <div className={classes.found}>
        <strong role="status">
          {total === undefined
            ? t("common.loading")
            : t("office.catalog.found", { count: total, amount: format.number(total) })}
        </strong>
        {target && total !== 0 ? (
          <div className={classes.together}>
            <Button variant="default" onClick={() => setAsked({ target, enabled: true })}>
              {t("office.catalog.showAll")}
            </Button>
            <Button variant="default" onClick={() => setAsked({ target, enabled: false })}>
              {t("office.catalog.hideAll")}
            </Button>
          </div>
        ) : (
          <span className={classes.hint}>{t("office.catalog.togetherHint")}</span>
        )}
      </div>
      <QueryTrouble query={offers} />
      {choices.error ? <ErrorNotice words={errorWords(choices.error, t, format)} /> : null}
      <OfferList
        rows={rows}
        total={total ?? 0}
        isLoading={offers.isPending}
        onNear={() => {
          if (offers.hasNextPage && !offers.isFetchingNextPage) void offers.fetchNextPage();
        }}
        onSwitch={({ offerId }, enabled) =>
          void choices.change({ target: { offerId }, enabled }).then(setMade, () => {})
        }
        onPin={(row) => void choices.togglePin(row).catch(() => {})}
      />
      {asked ? (
        <SwitchDialog
          {...{ environment, asked }}
          onClose={() => setAsked(undefined)}
          onMade={(change) => {
            setMade(change);
            setAsked(undefined);
          }}
        />
      ) : null}
    </>
  );
}
