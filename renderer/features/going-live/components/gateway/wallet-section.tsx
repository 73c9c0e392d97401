import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type {
  UpstreamComparison,
  UpstreamState,
} from "../../../../../server/contract/pos/upstream.ts";
import { Notice } from "../../../../components/notice.tsx";
import { useFormat } from "../../../../lib/use-format.ts";
import { tillStateQuery } from "../../api/going-live-queries.ts";
import classes from "./gateway.module.css";
import { LiveAlertForm } from "./live-alert-form.tsx";
import { PaidInForm } from "./paid-in-form.tsx";

/** The money at the provider beside the live wallet here, what was paid in, and when it is low. */
export function WalletSection({ gateway }: { readonly gateway: UpstreamState }) {
  const { t } = useTranslation();
  return (
    <section className={classes.section} aria-labelledby="gateway-wallet">
      <h2 id="gateway-wallet" className={classes.legend}>
        {t("office.live.wallet.title")}
      </h2>
      {gateway.balance ? (
        <Balances balance={gateway.balance} />
      ) : (
        <p className={classes.soft}>{t("office.live.wallet.unknown")}</p>
      )}
    </section>
  );
}

function Balances({ balance }: { readonly balance: UpstreamComparison }) {
  const { t } = useTranslation();
  const format = useFormat();
  const state = useQuery(tillStateQuery());
  const { currency, currencyDivisor, upstream, available, held, difference } = balance;
  const money = (minor: number) => format.money(minor, currency, currencyDivisor, "code");
  return (
    <>
      <dl className={classes.facts}>
        <dt>{t("office.live.wallet.there")}</dt>
        <dd>{money(upstream)}</dd>
        <dt>{t("office.live.wallet.here")}</dt>
        <dd>{money(available + held)}</dd>
      </dl>
      {difference === 0 ? null : (
        <Notice tone="wait">
          {t(difference > 0 ? "office.live.wallet.less" : "office.live.wallet.more", {
            amount: money(Math.abs(difference)),
          })}
        </Notice>
      )}
      <PaidInForm balance={balance} />
      {state.data ? <LiveAlertForm balance={balance} alert={state.data.alert} /> : null}
    </>
  );
}
