import { Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { QueryTrouble } from "../../../components/query-trouble.tsx";
import { ViewTabs } from "../../../components/view-tabs.tsx";
import type { OfficeSectionProps } from "../../../lib/office-section.ts";
import { walletOverviewQuery } from "../../../lib/wallet-overview-query.ts";
import { AlertForm } from "./alert-form.tsx";
import { BalanceCard } from "./balance-card.tsx";
import { RechargeForm } from "./recharge-form.tsx";
import { StatementView } from "./statement-view.tsx";
import { TestBalanceForm } from "./test-balance-form.tsx";
import { UpstreamCard } from "./upstream-card.tsx";
import classes from "./wallet.module.css";

const VIEWS = ["overview", "statement"] as const;
type View = (typeof VIEWS)[number];

/** What the shop buys with: how much there is, how far it goes, and every movement of it. */
export function WalletScreen(props: OfficeSectionProps) {
  const { t } = useTranslation();
  const { session, search, onSearch } = props;
  const view: View = search.view === "statement" ? "statement" : "overview";
  return (
    <main className={classes.screen}>
      <div className={classes.card}>
        <h1 className={classes.title}>{t(`office.wallet.title.${session.environment}`)}</h1>
        <ViewTabs
          label={t("office.wallet.views")}
          views={VIEWS.map((value) => ({ value, label: t(`office.wallet.view.${value}`) }))}
          view={view}
          onView={(next) => onSearch(next === "overview" ? {} : { view: next })}
        />
        {view === "overview" ? <Overview {...props} /> : <StatementView {...props} />}
      </div>
    </main>
  );
}

function Overview({ session, status }: OfficeSectionProps) {
  const { t } = useTranslation();
  const overview = useQuery(walletOverviewQuery());
  const { data } = overview;
  const isOwner = session.staff.role === "owner";
  if (!data) {
    return (
      <>
        <QueryTrouble query={overview} />
        {overview.isPending ? (
          <div role="status" aria-busy="true" aria-label={t("common.loading")}>
            <Skeleton height="12rem" radius="md" />
          </div>
        ) : null}
      </>
    );
  }
  return (
    <div className={classes.columns}>
      <BalanceCard overview={data} />
      {isOwner ? (
        <>
          <RechargeForm overview={data} shop={status} />
          <AlertForm
            key={`${data.environment} ${data.alert.lowAmount} ${data.alert.lowHours}`}
            overview={data}
          />
          {data.environment === "live" ? <UpstreamCard /> : <TestBalanceForm overview={data} />}
        </>
      ) : null}
    </div>
  );
}
