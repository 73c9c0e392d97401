import { Button } from "@mantine/core";
import { IconAlertCircle, IconAlertTriangle, IconBellOff } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { Alert } from "../../../../server/contract/pos/alerts.ts";
import { ErrorNotice } from "../../../components/notice.tsx";
import { ALERT_PLACES, alertWords } from "../../../lib/alert-words.ts";
import { errorWords } from "../../../lib/error-words.ts";
import type { OfficeSectionProps } from "../../../lib/office-section.ts";
import { useFormat } from "../../../lib/use-format.ts";
import { clockQuery, useAcceptClock, useSilence } from "../api/alert-queries.ts";
import classes from "./alerts-screen.module.css";

const SIGNS = { URGENT: IconAlertCircle, SOON: IconAlertTriangle, SILENCED: IconBellOff } as const;

interface AlertCardProps extends Pick<OfficeSectionProps, "onOpen"> {
  readonly alert: Alert;
  readonly isOwner: boolean;
}

/** What happened, whose money it is, what to do, and the button to the very place. */
export function AlertCard({ alert, isOwner, onOpen }: AlertCardProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const silence = useSilence();
  const { alertId, kind, level, environment, facts, openedAt, silenced } = alert;
  const { title, body } = alertWords(alert, t, format);
  const Icon = SIGNS[silenced ? "SILENCED" : level];
  const place = ALERT_PLACES[kind];
  return (
    <li className={classes.card} data-level={silenced ? "SILENCED" : level}>
      <Icon size="1.5rem" stroke={2} aria-hidden="true" className={classes.sign} />
      <div className={classes.words}>
        <h2 className={classes.name}>{title}</h2>
        <p>{body}</p>
        <p className={classes.small}>
          <span className={classes.level}>{t(`office.alerts.level.${level}`)}</span>
          {environment === "test" ? (
            <span className={classes.test}>{t("office.alerts.test")}</span>
          ) : null}
          <span>{t("office.alerts.since", { time: format.moment(facts.since ?? openedAt) })}</span>
          {silenced ? <span>{t("office.alerts.silenced", { name: silenced.name })}</span> : null}
        </p>
        {alert.cause === "CLOCK_WRONG" && isOwner ? <ClockConfirmation /> : null}
        {silence.error ? <ErrorNotice words={errorWords(silence.error, t, format)} /> : null}
        <div className={classes.buttons}>
          <Button
            variant={level === "URGENT" && !silenced ? "filled" : "default"}
            onClick={() => onOpen(place.section, place.search)}
          >
            {t(`office.alerts.go.${kind}`)}
          </Button>
          {isOwner ? (
            <Button
              variant="subtle"
              loading={silence.isPending}
              onClick={() => silence.mutate({ alertId, on: silenced === undefined })}
            >
              {t(silenced ? "office.alerts.unsilence" : "office.alerts.silence")}
            </Button>
          ) : null}
        </div>
      </div>
    </li>
  );
}

/** Says that a clock that was ahead is right now, so that the shop does not wait until it passes its records. */
function ClockConfirmation() {
  const { t } = useTranslation();
  const format = useFormat();
  const { data: clock } = useQuery(clockQuery());
  const accept = useAcceptClock();
  if (!clock?.isWrong || clock.newest === undefined) return null;
  const times = { now: format.moment(clock.now), newest: format.moment(clock.newest) };
  return (
    <>
      <p>{t("office.alerts.clock.times", times)}</p>
      <p className={classes.hint}>{t("office.alerts.clock.hint")}</p>
      {accept.error ? <ErrorNotice words={errorWords(accept.error, t, format)} /> : null}
      <div className={classes.buttons}>
        <Button
          variant="default"
          loading={accept.isPending}
          onClick={() => accept.mutate(clock.now)}
        >
          {t("office.alerts.clock.confirm")}
        </Button>
      </div>
    </>
  );
}
