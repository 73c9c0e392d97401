import { Button } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { OfficeSectionProps } from "../../../lib/office-section.ts";
import { useFormat } from "../../../lib/use-format.ts";
import { owedQuery } from "../api/sales-office-queries.ts";
import { Loaded } from "./loaded.tsx";
import classes from "./sales-office.module.css";

/** Money of customers that the shop still has: not delivered, and not handed back. */
export function OwedView({ status, search, onSearch }: OfficeSectionProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const owed = useInfiniteQuery(owedQuery());
  const list = owed.data?.pages.flatMap((page) => page.list) ?? [];
  return (
    <>
      <p className={classes.soft}>{t("office.sales.owed.intro")}</p>
      <Loaded query={owed} count={list.length} empty={t("office.sales.owed.none")}>
        <ul className={classes.list} aria-label={t("office.sales.view.owed")}>
          {list.map(({ transactionId, failedAt, saleNumber, clerk, amount }) => (
            <li key={transactionId}>
              <button
                type="button"
                className={classes.row}
                onClick={() => onSearch({ ...search, id: transactionId })}
              >
                <span className={classes.what}>
                  <strong>{t("sale.number", { number: saleNumber })}</strong>
                  <span>{clerk}</span>
                </span>
                <span className={classes.soft}>
                  {format.date(failedAt)} {format.time(failedAt)}
                </span>
                <span className={classes.amount}>
                  {format.money(amount, status.currency, status.currencyDivisor)}
                </span>
              </button>
            </li>
          ))}
        </ul>
      </Loaded>
      {owed.hasNextPage ? (
        <Button
          className={classes.more ?? ""}
          variant="default"
          loading={owed.isFetchingNextPage}
          onClick={() => void owed.fetchNextPage()}
        >
          {t("office.sales.more")}
        </Button>
      ) : null}
    </>
  );
}
