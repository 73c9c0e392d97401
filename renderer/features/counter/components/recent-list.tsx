import { Skeleton } from "@mantine/core";
import { IconHistory } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { BrandMonogram } from "../../../components/brand-monogram.tsx";
import { Flag } from "../../../components/flag.tsx";
import { KeyCap } from "../../../components/key-cap.tsx";
import { offerTitle } from "../../../lib/offer-title.ts";
import { useFormat } from "../../../lib/use-format.ts";
import type { Counter } from "../use-counter.ts";
import classes from "./recent-list.module.css";

/** The last numbers sold to, newest first: one press opens the same sale again. */
export function RecentList({ counter }: { readonly counter: Counter }) {
  const { t } = useTranslation();
  const format = useFormat();
  if (counter.recentsLoading) {
    return <LoadingRecents />;
  }
  if (counter.recents.length === 0) {
    return (
      <div className={classes.empty}>
        <IconHistory size="2rem" stroke={1.5} aria-hidden="true" />
        <p>{t("counter.noRecents")}</p>
      </div>
    );
  }
  return (
    <>
      <h2 className={classes.title}>
        {t("counter.recents")} <KeyCap>↓</KeyCap>
      </h2>
      <ul className={classes.list}>
        {counter.recents.map((recent, index) => {
          const price = format.money(
            recent.price,
            recent.priceCurrency,
            recent.priceCurrencyDivisor,
          );
          return (
            <li key={recent.saleId}>
              <button
                type="button"
                className={classes.recent}
                data-focused={counter.state.recent === index}
                aria-current={counter.state.recent === index}
                aria-label={t("counter.recentAgain", {
                  title: offerTitle(recent.brandName, recent.title),
                  price,
                  number: recent.recipientFormatted,
                })}
                onClick={() => counter.repeat(recent)}
              >
                <BrandMonogram name={recent.brandName} color={recent.brandColor} />
                <span className={classes.who}>
                  <span className={classes.number}>
                    <Flag country={recent.country} /> {recent.recipientFormatted}
                  </span>
                  <span className={classes.what}>
                    {offerTitle(recent.brandName, recent.title)} · {format.time(recent.soldAt)}
                  </span>
                </span>
                <span className={classes.price}>{price}</span>
                <KeyCap>↵</KeyCap>
              </button>
            </li>
          );
        })}
      </ul>
    </>
  );
}

function LoadingRecents() {
  const { t } = useTranslation();
  return (
    <div className={classes.list} role="status" aria-busy="true" aria-label={t("common.loading")}>
      {["a", "b", "c"].map((row) => (
        <Skeleton key={row} height="3.5rem" radius="md" />
      ))}
    </div>
  );
}
