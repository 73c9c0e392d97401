import { Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { QueryTrouble } from "../../../components/query-trouble.tsx";
import { ViewTabs } from "../../../components/view-tabs.tsx";
import { alertsQuery } from "../../../lib/alerts-query.ts";
import type { OfficeSectionProps } from "../../../lib/office-section.ts";
import { troubleOf } from "../../../lib/query-trouble.ts";
import { AlertMailView } from "./alert-mail-view.tsx";
import classes from "./alerts-screen.module.css";
import { OpenAlerts } from "./open-alerts.tsx";

const VIEWS = ["open", "mail"] as const;

interface AlertsScreenProps extends Pick<OfficeSectionProps, "search" | "onSearch" | "onOpen"> {
  readonly isOwner: boolean;
}

/** Everything that waits for a person to see to it; for owners also whom a mail tells. */
export function AlertsScreen({ isOwner, search, onSearch, onOpen }: AlertsScreenProps) {
  const { t } = useTranslation();
  const view = isOwner && search.view === "mail" ? "mail" : "open";
  return (
    <main className={classes.screen}>
      <div className={classes.sheet}>
        <h1 className={classes.title}>{t("office.alerts.title")}</h1>
        {isOwner ? (
          <ViewTabs
            label={t("office.alerts.parts")}
            views={VIEWS.map((value) => ({ value, label: t(`office.alerts.view.${value}`) }))}
            view={view}
            onView={(chosen) => onSearch(chosen === "open" ? {} : { view: chosen })}
          />
        ) : null}
        {view === "mail" ? (
          <AlertMailView onServer={() => onOpen("reports", { view: "mail" })} />
        ) : (
          <AwaitedAlerts isOwner={isOwner} onOpen={onOpen} />
        )}
      </div>
    </main>
  );
}

function AwaitedAlerts({ isOwner, onOpen }: Pick<AlertsScreenProps, "isOwner" | "onOpen">) {
  const { t } = useTranslation();
  const alerts = useQuery(alertsQuery());
  if (alerts.data) return <OpenAlerts list={alerts.data} isOwner={isOwner} onOpen={onOpen} />;
  if (troubleOf(alerts)) return <QueryTrouble query={alerts} />;
  return (
    <div className={classes.view} role="status" aria-busy="true" aria-label={t("common.loading")}>
      <Skeleton height="7rem" radius="md" />
      <Skeleton height="7rem" radius="md" />
    </div>
  );
}
