import { ActionIcon, Button } from "@mantine/core";
import {
  IconAlertTriangle,
  IconBellOff,
  IconCash,
  IconCircleCheck,
  IconClock,
  IconCurrencyDollar,
  IconTag,
  IconWallet,
  type TablerIcon,
} from "@tabler/icons-react";
import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useContext } from "react";
import { useTranslation } from "react-i18next";
import {
  type Alert,
  type AlertKind,
  alertOperations,
} from "../../../../server/contract/pos/alerts.ts";
import type { FirstPage } from "../../../../server/contract/pos/figures.ts";
import { settingsOperations } from "../../../../server/contract/pos/settings.ts";
import { Notice, Trouble } from "../../../components/notice.tsx";
import { ALERT_PLACES, alertWords } from "../../../lib/alert-words.ts";
import { alertsQuery } from "../../../lib/alerts-query.ts";
import { call } from "../../../lib/api-client.ts";
import type { MoneyUnit } from "../../../lib/money.ts";
import { invalidateAnswers, operationQuery } from "../../../lib/operation-query.ts";
import { useFormat } from "../../../lib/use-format.ts";
import { moneyOf } from "../figure-format.ts";
import { AwaitedFigures } from "./awaited-figures.tsx";
import classes from "./needs-attention.module.css";
import { WaysContext } from "./place-link.tsx";

/** The desktop app, not the gateway, answers this query. */
const UPDATE_KEY = ["update"];

function useSilence() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ alertId, on }: { alertId: string; on: boolean }) =>
      call(alertOperations.silence, { params: { alertId }, body: { on } }),
    onSettled: () => invalidateAnswers(queryClient, [alertOperations.list]),
  });
}

function clockQuery() {
  return operationQuery(settingsOperations.getClock);
}

function useAcceptClock() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (now: string) => call(settingsOperations.acceptClock, { body: { now } }),
    onSettled: () =>
      invalidateAnswers(queryClient, [settingsOperations.getClock, alertOperations.list]),
  });
}

/** Query that returns whether a new version waits for the desktop app to close. */
function updateQuery() {
  return queryOptions({
    queryKey: UPDATE_KEY,
    queryFn: async () => (await window.tillgate?.updateState()) ?? { ready: false },
    enabled: window.tillgate !== undefined,
  });
}

const ICONS: Partial<Record<AlertKind, TablerIcon>> = {
  WALLET: IconWallet,
  TIE_OUT: IconWallet,
  REFUNDS: IconCash,
  CASES: IconClock,
  PROVIDER_SLOW: IconClock,
  OFFERS_BLOCKED: IconTag,
  RATE: IconCurrencyDollar,
};

interface NeedsAttentionProps {
  readonly isOwner: boolean;
  /** Set only with the permission to see figures. */
  readonly pending?: FirstPage["sending"] | undefined;
  readonly unit?: MoneyUnit | undefined;
  /** False while the pending sales are not known. */
  readonly isKnown?: boolean;
}

/** Lists problems with one action each, the most urgent problem first. */
export function NeedsAttention({ isOwner, pending, unit, isKnown = true }: NeedsAttentionProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const alerts = useQuery(alertsQuery());
  const isPending = pending !== undefined && pending.lines > 0 && unit !== undefined;
  return (
    <AwaitedFigures query={alerts} height="20rem">
      {({ open, resolved, isChecking }) => {
        const heard = open.filter(({ silenced }) => silenced === undefined);
        const silenced = open.filter((alert) => alert.silenced !== undefined);
        return (
          <section className="min-w-0 overflow-hidden card" aria-labelledby="needs-attention">
            <div className={classes.head}>
              <h2 id="needs-attention" className="size-body tracking-0">
                {t("office.overview.needs.title")}
              </h2>
              {heard.length > 0 ? (
                <span
                  className={classes.count}
                  data-urgent={heard.some(({ level }) => level === "URGENT")}
                >
                  {format.number(heard.length)}
                </span>
              ) : null}
            </div>
            {heard.length === 0 && !isPending ? <Well isKnown={isKnown && !isChecking} /> : null}
            <ul aria-label={t("office.overview.needs.title")}>
              {heard.map((alert) => (
                <AlertRow key={alert.alertId} alert={alert} isOwner={isOwner} />
              ))}
              {isPending ? <PendingRow pending={pending} unit={unit} /> : null}
            </ul>
            {isOwner ? <UpdateReady /> : null}
            {silenced.length + resolved.length === 0 ? null : (
              <details className={classes.past}>
                <summary>{t("office.overview.needs.past")}</summary>
                <ul aria-label={t("office.overview.needs.past")}>
                  {silenced.map((alert) => (
                    <AlertRow key={alert.alertId} alert={alert} isOwner={isOwner} />
                  ))}
                  {resolved.map((alert) => (
                    <li key={alert.alertId} className={classes.row}>
                      <IconCircleCheck size="1.25rem" aria-hidden="true" />
                      <div className={classes.words}>
                        <span>{alertWords(alert, t, format).title}</span>
                        <small>
                          {t("office.alerts.resolvedAt", {
                            time: format.moment(alert.resolvedAt ?? ""),
                          })}
                        </small>
                      </div>
                    </li>
                  ))}
                </ul>
              </details>
            )}
          </section>
        );
      }}
    </AwaitedFigures>
  );
}

/** Says that everything is in order, once that is known. */
function Well({ isKnown }: { readonly isKnown: boolean }) {
  const { t } = useTranslation();
  return isKnown ? (
    <p className={classes.well}>
      <IconCircleCheck className={classes.sign} size="1.25rem" aria-hidden="true" />
      {t("office.overview.needs.none")}
    </p>
  ) : (
    <p className={classes.well}>{t("common.loading")}</p>
  );
}

interface AlertRowProps {
  readonly alert: Alert;
  readonly isOwner: boolean;
}

function AlertRow({ alert, isOwner }: AlertRowProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const { open } = useContext(WaysContext);
  const silence = useSilence();
  const { alertId, kind, level, silenced } = alert;
  const { title, body } = alertWords(alert, t, format);
  const Icon = ICONS[kind] ?? IconAlertTriangle;
  const place = ALERT_PLACES[kind];
  const quiet = t(silenced ? "office.alerts.unsilence" : "office.alerts.silence");
  return (
    <li className={classes.row} data-level={silenced ? "SILENCED" : level}>
      <Icon size="1.25rem" stroke={1.75} aria-hidden="true" className={classes.sign} />
      <div className={classes.words}>
        <h3 className={classes.name}>{title}</h3>
        <small>
          {body}
          {silenced ? ` ${t("office.alerts.silenced", { name: silenced.name })}` : null}
        </small>
        {alert.cause === "CLOCK_WRONG" && isOwner ? <ClockConfirmation /> : null}
        <Trouble error={silence.error} />
      </div>
      <div className={classes.buttons}>
        <Button
          className={classes.go ?? ""}
          variant="default"
          onClick={() => open(place.section, place.search)}
          aria-label={t("common.labelled", { label: t(`office.alerts.go.${kind}`), value: title })}
        >
          {t(`office.alerts.go.${kind}`)}
        </Button>
        {isOwner ? (
          <ActionIcon
            variant="subtle"
            className={classes.quiet ?? ""}
            loading={silence.isPending}
            aria-label={t("common.labelled", { label: quiet, value: title })}
            title={quiet}
            onClick={() => silence.mutate({ alertId, on: silenced === undefined })}
          >
            <IconBellOff size="1.125rem" aria-hidden="true" />
          </ActionIcon>
        ) : null}
      </div>
    </li>
  );
}

interface PendingRowProps {
  readonly pending: FirstPage["sending"];
  readonly unit: MoneyUnit;
}

function PendingRow({ pending: { lines, amount, oldest }, unit }: PendingRowProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const { open } = useContext(WaysContext);
  return (
    <li className={classes.row} data-level="SOON">
      <IconClock size="1.25rem" stroke={1.75} aria-hidden="true" className={classes.sign} />
      <div className={classes.words}>
        <h3 className={classes.name}>
          {t("office.overview.pending.title", {
            count: lines,
            amount: moneyOf(format, unit)(amount),
          })}
        </h3>
        {oldest ? (
          <small>{t("office.overview.pending.oldest", { age: format.age(oldest) })}</small>
        ) : null}
      </div>
      <div className={classes.buttons}>
        <Button
          className={classes.go ?? ""}
          variant="default"
          onClick={() => open("sales", { view: "waiting" })}
        >
          {t("office.overview.pending.go")}
        </Button>
      </div>
    </li>
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

/**
 * Confirms that the clock was fast and is correct again. Otherwise the shop waits until the clock
 * has passed the latest record.
 */
function ClockConfirmation() {
  const { t } = useTranslation();
  const format = useFormat();
  const { data: clock } = useQuery(clockQuery());
  const accept = useAcceptClock();
  if (!clock?.isWrong || clock.newest === undefined) return null;
  const times = { now: format.moment(clock.now), newest: format.moment(clock.newest) };
  return (
    <>
      <small>
        {t("office.alerts.clock.times", times)} {t("office.alerts.clock.hint")}
      </small>
      <Trouble error={accept.error} />
      <Button
        className={classes.go ?? ""}
        variant="default"
        loading={accept.isPending}
        onClick={() => accept.mutate(clock.now)}
      >
        {t("office.alerts.clock.confirm")}
      </Button>
    </>
  );
}
