import { useInfiniteQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { AwaitedList, MoreButton } from "../../../components/loading.tsx";
import { useFormat } from "../../../lib/use-format.ts";
import { varianceWords } from "../../../lib/variance-words.ts";
import { reportsQuery } from "../api/sales-office-queries.ts";
import type { SalesScreenProps } from "../sales-screen-props.ts";
import { daysOf } from "../sales-search.ts";
import { DayFields } from "./day-fields.tsx";
import classes from "./sales-office.module.css";

/** A single report is shown in full, so that it can be printed again. */
export function ReportsView({ search, onSearch, renderReport }: SalesScreenProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const reports = useInfiniteQuery(reportsQuery(daysOf(search)));
  const list = reports.data?.pages.flatMap((page) => page.list) ?? [];
  const chosen = list.find(({ zNumber }) => String(zNumber) === search.z);
  return (
    <>
      <div className={classes.filters}>
        <DayFields search={search} onSearch={onSearch} />
      </div>
      {chosen ? renderReport(chosen) : null}
      <AwaitedList query={reports} count={list.length} empty={t("office.sales.noReports")}>
        <ul className={classes.list} aria-label={t("shift.z.list")}>
          {list.map((report) => {
            const { currency, currencyDivisor, staff } = report.shift;
            const money = (minor: number) => format.money(minor, currency, currencyDivisor);
            return (
              <li key={report.zNumber}>
                <button
                  type="button"
                  className={classes.row}
                  aria-current={report === chosen}
                  onClick={() => onSearch({ ...search, z: String(report.zNumber) })}
                >
                  <span className="stack min-w-0 break-anywhere">
                    <strong>{t("shift.z.title", { number: report.zNumber })}</strong>
                    <span>{staff.name}</span>
                  </span>
                  <span className="soft">
                    {format.date(report.closedAt)} {format.time(report.closedAt)}
                  </span>
                  <span className="stack min-w-0 break-anywhere">
                    {varianceWords(report.variance, t, money)}
                  </span>
                  <span className={classes.amount}>{money(report.figures.sales.value)}</span>
                </button>
              </li>
            );
          })}
        </ul>
      </AwaitedList>
      <MoreButton pages={reports} className={classes.more}>
        {t("office.sales.more")}
      </MoreButton>
    </>
  );
}
