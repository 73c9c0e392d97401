import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { WalletFigures } from "../../../../server/contract/pos/wallet.ts";
import type { WalletOverview } from "../../../../server/contract/pos/wallet-office.ts";
import { Notice } from "../../../components/notice.tsx";
import { walletQuery } from "../../../lib/pos-queries.ts";
import { useFormat } from "../../../lib/use-format.ts";
import classes from "./wallet.module.css";

/**
 * Returns the balance of the page's head, which follows each event. The overview is older, because
 * its forecast is queried only every minute.
 */
function useCurrentBalance(overview: WalletOverview): WalletFigures {
  const { data } = useQuery(walletQuery());
  return data?.environment === overview.environment ? (data.figures ?? overview) : overview;
}

export function BalanceCard({ overview }: { readonly overview: WalletOverview }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { salesLeft, emptyAt, hoursLeft, low } = overview;
  const { available, held, currency, currencyDivisor } = useCurrentBalance(overview);
  const money = (minor: number) => format.money(minor, currency, currencyDivisor);
  return (
    <section className={classes.balance} aria-label={t("office.wallet.balance")}>
      {low.map((cause) => (
        <Notice key={cause} tone={cause === "EMPTY" ? "stop" : "wait"}>
          {t(`office.wallet.low.${cause}`)}
        </Notice>
      ))}
      <dl className={classes.figures}>
        <div>
          <dt className="soft">{t("office.wallet.available")}</dt>
          <dd className="size-heading strong tabular">{money(available)}</dd>
        </div>
        <div>
          <dt className="soft">{t("office.wallet.held")}</dt>
          <dd className="size-label strong tabular">{money(held)}</dd>
        </div>
        <div>
          <dt className="soft">{t("office.wallet.total")}</dt>
          <dd className="size-label strong tabular">{money(available + held)}</dd>
        </div>
      </dl>
      <p className="size-label">
        {salesLeft === undefined ? (
          t("office.wallet.lasts.unknown")
        ) : (
          <>
            <strong>{t("office.wallet.lasts.sales", { count: salesLeft })}</strong>{" "}
            {emptyAt === undefined
              ? t("office.wallet.lasts.long")
              : t("office.wallet.lasts.until", {
                  time: format.moment(emptyAt),
                  hours: format.number(Math.round(hoursLeft ?? 0)),
                })}
          </>
        )}
      </p>
      <p className="soft">{t("office.wallet.lasts.how")}</p>
    </section>
  );
}
