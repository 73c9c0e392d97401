import { useTranslation } from "react-i18next";
import type { WalletOverview } from "../../../../server/contract/pos/wallet-office.ts";
import { Notice } from "../../../components/notice.tsx";
import { useFormat } from "../../../lib/use-format.ts";
import classes from "./wallet.module.css";

/** What can be spent, what is set aside, and how far it goes. */
export function BalanceCard({ overview }: { readonly overview: WalletOverview }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { available, held, currency, currencyDivisor, salesLeft, emptyAt, hoursLeft, low } =
    overview;
  const money = (minor: number) => format.money(minor, currency, currencyDivisor, "code");
  return (
    <section className={classes.balance} aria-label={t("office.wallet.balance")}>
      {low.map((cause) => (
        <Notice key={cause} tone={cause === "EMPTY" ? "stop" : "wait"}>
          {t(`office.wallet.low.${cause}`)}
        </Notice>
      ))}
      <dl className={classes.figures}>
        <div data-main="true">
          <dt>{t("office.wallet.available")}</dt>
          <dd>{money(available)}</dd>
        </div>
        <div>
          <dt>{t("office.wallet.held")}</dt>
          <dd>{money(held)}</dd>
        </div>
        <div>
          <dt>{t("office.wallet.total")}</dt>
          <dd>{money(available + held)}</dd>
        </div>
      </dl>
      <p className={classes.lasts}>
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
      <p className={classes.soft}>{t("office.wallet.lasts.how")}</p>
    </section>
  );
}
