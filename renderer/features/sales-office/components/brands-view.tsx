import { Button, Select } from "@mantine/core";
import { useMutation, useQueries, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { FAMILIES } from "../../../../server/contract/pos/families.ts";
import { ErrorNotice } from "../../../components/notice.tsx";
import { errorWords } from "../../../lib/error-words.ts";
import type { OfficeSectionProps } from "../../../lib/office-section.ts";
import { invalidateAnswers } from "../../../lib/operation-query.ts";
import { useFormat } from "../../../lib/use-format.ts";
import {
  brandsQuery,
  pauseBrand,
  pausesQuery,
  resumeBrand,
  SALES_ANSWERS,
} from "../api/sales-office-queries.ts";
import { Loaded } from "./loaded.tsx";
import classes from "./sales-office.module.css";

/** Brands whose new sales wait, by hand or since their provider failed. */
export function BrandsView({ session }: OfficeSectionProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const queryClient = useQueryClient();
  const { environment } = session;
  const pauses = useQuery(pausesQuery(environment));
  const paused = pauses.data?.list ?? [];
  const families = useQueries({ queries: FAMILIES.map((family) => brandsQuery(family)) });
  const names = new Map(
    families.flatMap(
      ({ data }) => data?.list.map(({ brand, brandName }) => [brand, brandName]) ?? [],
    ),
  );
  const [chosen, setChosen] = useState<string | null>(null);
  const change = useMutation({
    mutationFn: ({ brand, pause }: { readonly brand: string; readonly pause: boolean }) =>
      pause ? pauseBrand(brand, environment) : resumeBrand(brand, environment),
    onSuccess: () => setChosen(null),
    onSettled: () => void invalidateAnswers(queryClient, SALES_ANSWERS),
  });
  const isPaused = new Set(paused.map(({ brand }) => brand));
  return (
    <>
      <p className={classes.soft}>{t("office.sales.brand.intro")}</p>
      <form
        className={classes.filters}
        onSubmit={(event) => {
          event.preventDefault();
          if (chosen !== null) {
            change.mutate({ brand: chosen, pause: true });
          }
        }}
      >
        <Select
          label={t("office.sales.brand.choose")}
          searchable
          data={[...names]
            .filter(([brand]) => !isPaused.has(brand))
            .map(([value, label]) => ({ value, label }))}
          value={chosen}
          onChange={setChosen}
        />
        <Button type="submit" disabled={chosen === null} loading={change.isPending}>
          {t("office.sales.brand.pause")}
        </Button>
      </form>
      {change.error ? <ErrorNotice words={errorWords(change.error, t, format)} /> : null}
      <Loaded query={pauses} count={paused.length} empty={t("office.sales.brand.none")}>
        <ul className={classes.list} aria-label={t("office.sales.view.brands")}>
          {paused.map(({ brand, pausedSince, byHand }) => (
            <li key={brand} className={classes.item}>
              <span className={classes.what}>
                <strong>{names.get(brand) ?? brand}</strong>
                <small className={classes.soft}>
                  {format.date(pausedSince)} {format.time(pausedSince)} ·{" "}
                  {t(byHand ? "office.sales.brand.byHand" : "office.sales.brand.byItself")}
                </small>
              </span>
              <Button variant="default" onClick={() => change.mutate({ brand, pause: false })}>
                {t("office.sales.brand.resume")}
              </Button>
            </li>
          ))}
        </ul>
      </Loaded>
    </>
  );
}
