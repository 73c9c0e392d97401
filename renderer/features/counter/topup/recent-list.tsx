import { Skeleton } from "@mantine/core";
import { IconHistory } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { PosEarlierSale } from "../../../../server/contract/pos/counter.ts";
import { BrandMonogram } from "../../../components/brand-monogram.tsx";
import { Flag } from "../../../components/flag.tsx";
import { KeyCap } from "../../../components/key-cap.tsx";
import { OutcomeBadge } from "../../../components/outcome-badge.tsx";
import { useFormat } from "../../../lib/use-format.ts";
import { useLineTitle } from "../../../lib/use-line-title.ts";
import classes from "./recent-list.module.css";
import type { Topup } from "./use-topup.ts";

/** The last numbers sold to, newest first: one press opens the same sale again. */
export function RecentList({ topup }: { readonly topup: Topup }) {
  const { t } = useTranslation();
  if (topup.recentsLoading) {
    return <LoadingRecents />;
  }
  if (topup.recents.length === 0) {
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
      <EarlierSales topup={topup} list={topup.recents} focused={topup.state.recent} />
    </>
  );
}

/** What this very number was sold before, while it stands in the field. */
export function EarlierOfNumber({ topup }: { readonly topup: Topup }) {
  const { t } = useTranslation();
  const earlier = topup.state.phone?.earlier ?? [];
  if (earlier.length === 0) {
    return null;
  }
  return (
    <>
      <h2 className={classes.title}>{t("counter.earlier")}</h2>
      <EarlierSales topup={topup} list={earlier.slice(0, SHOWN_EARLIER)} focused={undefined} />
    </>
  );
}

const SHOWN_EARLIER = 3;

interface EarlierSalesProps {
  readonly topup: Topup;
  readonly list: readonly PosEarlierSale[];
  readonly focused: number | undefined;
}

function EarlierSales({ topup, list, focused }: EarlierSalesProps) {
  const format = useFormat();
  const lineTitle = useLineTitle();
  return (
    <ul className={classes.list}>
      {list.map((earlier, index) => {
        const price = format.money(
          earlier.price,
          earlier.priceCurrency,
          earlier.priceCurrencyDivisor,
        );
        return (
          <li key={earlier.saleId}>
            <button
              type="button"
              className={classes.recent}
              data-focused={focused === index}
              aria-current={focused === index}
              onClick={() => topup.repeat(earlier)}
            >
              <BrandMonogram name={earlier.brandName} color={earlier.brandColor} />
              <span className={classes.who}>
                <span className={classes.number}>
                  <Flag country={earlier.country} />{" "}
                  <bdi dir="ltr">{earlier.recipientFormatted}</bdi>
                </span>
                <span className={classes.what}>
                  <OutcomeBadge outcome={earlier.outcome} />
                  <span className={classes.details}>
                    {lineTitle(earlier)} · {format.moment(earlier.soldAt)}
                  </span>
                </span>
              </span>
              <span className={classes.price}>{price}</span>
              <KeyCap>↵</KeyCap>
            </button>
          </li>
        );
      })}
    </ul>
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
