import { IconCircleCheck } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { Alert, AlertKind, AlertList } from "../../../../server/contract/pos/alerts.ts";
import { Notice } from "../../../components/notice.tsx";
import { alertWords } from "../../../lib/alert-words.ts";
import type { OfficeSectionProps } from "../../../lib/office-section.ts";
import { useFormat } from "../../../lib/use-format.ts";
import { updateQuery } from "../api/alert-queries.ts";
import { AlertCard } from "./alert-card.tsx";
import classes from "./alerts-screen.module.css";

interface OpenAlertsProps extends Pick<OfficeSectionProps, "onOpen"> {
  readonly list: AlertList;
  readonly isOwner: boolean;
}

/** The open alerts with the button of each, and what was resolved lately. */
export function OpenAlerts({ list, isOwner, onOpen }: OpenAlertsProps) {
  const { t } = useTranslation();
  const { open, resolved, watched } = list;
  return (
    <div className={classes.view}>
      {open.length === 0 ? (
        <AllWell watched={watched} />
      ) : (
        <>
          <p className={classes.hint}>{t("office.alerts.lead")}</p>
          <ul className={classes.rows} aria-label={t("office.alerts.open")}>
            {open.map((alert) => (
              <AlertCard key={alert.alertId} alert={alert} isOwner={isOwner} onOpen={onOpen} />
            ))}
          </ul>
        </>
      )}
      {isOwner ? <UpdateReady /> : null}
      {resolved.length > 0 ? <Resolved alerts={resolved} /> : null}
    </div>
  );
}

/** That nothing waits, and what is watched. */
function AllWell({ watched }: { readonly watched: readonly AlertKind[] }) {
  const { t } = useTranslation();
  return (
    <div className={classes.well}>
      <IconCircleCheck size="2.5rem" stroke={1.5} aria-hidden="true" className={classes.wellSign} />
      <h2 className={classes.legend}>{t("office.alerts.none.title")}</h2>
      <p className={classes.hint}>{t("office.alerts.none.body")}</p>
      <ul className={classes.kinds} aria-label={t("office.alerts.watched")}>
        {watched.map((kind) => (
          <li key={kind} className={classes.kind}>
            {t(`office.alerts.kind.${kind}`)}
          </li>
        ))}
      </ul>
    </div>
  );
}

function UpdateReady() {
  const { t } = useTranslation();
  const { data } = useQuery(updateQuery());
  return data?.ready ? (
    <Notice tone="info">
      <strong>{t("office.alerts.update.title")}.</strong> {t("office.alerts.update.body")}
    </Notice>
  ) : null;
}

function Resolved({ alerts }: { readonly alerts: readonly Alert[] }) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <section className={classes.group} aria-labelledby="alerts-resolved">
      <h2 id="alerts-resolved" className={classes.legend}>
        {t("office.alerts.resolved")}
      </h2>
      <ul className={classes.past}>
        {alerts.map((alert) => (
          <li key={alert.alertId} className={classes.pastRow}>
            <span className={classes.pastWhat}>{alertWords(alert, t, format).title}</span>
            <span className={classes.small}>
              {t("office.alerts.resolvedAt", { time: format.moment(alert.resolvedAt ?? "") })}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
