import { Button, Checkbox, Select, Skeleton, TextInput } from "@mantine/core";
import {
  IconAlertCircle,
  IconAlertTriangle,
  IconBellOff,
  IconCircleCheck,
} from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import {
  type Alert,
  type AlertKind,
  type AlertList,
  type AlertMail,
  MAILED_KINDS,
} from "../../../../server/contract/pos/alerts.ts";
import { LANGUAGES } from "../../../../server/contract/pos/setup.ts";
import { ErrorNotice, Notice } from "../../../components/notice.tsx";
import { QueryTrouble } from "../../../components/query-trouble.tsx";
import { ViewTabs } from "../../../components/view-tabs.tsx";
import { ALERT_PLACES, alertWords } from "../../../lib/alert-words.ts";
import { alertsQuery } from "../../../lib/alerts-query.ts";
import { ApiError } from "../../../lib/api-client.ts";
import { errorWords } from "../../../lib/error-words.ts";
import { LANGUAGE_NAMES } from "../../../lib/i18n.ts";
import type { OfficeSectionProps } from "../../../lib/office-section.ts";
import { troubleOf } from "../../../lib/query-trouble.ts";
import { useFormat } from "../../../lib/use-format.ts";
import {
  alertMailQuery,
  clockQuery,
  mailServerQuery,
  updateQuery,
  useAcceptClock,
  useSaveAlertMail,
  useSilence,
} from "../api/alert-queries.ts";
import classes from "./alerts-screen.module.css";

const SIGNS = { URGENT: IconAlertCircle, SOON: IconAlertTriangle, SILENCED: IconBellOff } as const;

const LANGUAGE_CHOICES = LANGUAGES.map((value) => ({ value, label: LANGUAGE_NAMES[value] }));

const MOST_RECIPIENTS = 10;

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

/** Who gets which alerts by mail. */
function AlertMailView({ onServer }: { readonly onServer: () => void }) {
  const { t } = useTranslation();
  const saved = useQuery(alertMailQuery());
  const hasServer = useQuery(mailServerQuery());
  return (
    <div className={classes.view}>
      <p className={classes.hint}>{t("office.alerts.mail.intro")}</p>
      <QueryTrouble query={saved} />
      {hasServer.data === false ? (
        <>
          <Notice tone="wait">{t("office.alerts.mail.noServer")}</Notice>
          <div className={classes.buttons}>
            <Button variant="default" onClick={onServer}>
              {t("office.alerts.mail.toServer")}
            </Button>
          </div>
        </>
      ) : null}
      {saved.data ? <MailForm saved={saved.data} /> : null}
    </div>
  );
}

function MailForm({ saved }: { readonly saved: AlertMail }) {
  const { t, i18n } = useTranslation();
  const format = useFormat();
  const [list, setList] = useState<readonly Recipient[]>(saved.list);
  const save = useSaveAlertMail();
  const faults = save.error instanceof ApiError ? save.error.fields : {};
  const isNamed = Object.keys(faults).length > 0;
  const change = (next: readonly Recipient[]) => {
    save.reset();
    setList(next);
  };
  const language =
    saved.list.at(-1)?.language ?? LANGUAGES.find((known) => known === i18n.language) ?? "en";
  return (
    <form
      className={classes.group}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate({ list: [...list] });
      }}
    >
      {list.length === 0 ? <p>{t("office.alerts.mail.none")}</p> : null}
      {list.map((recipient, index) => (
        <RecipientFields
          // biome-ignore lint/suspicious/noArrayIndexKey: what is typed is all that tells them apart.
          key={index}
          number={index + 1}
          recipient={recipient}
          faults={{
            address: faults[`list.${index}.address`],
            kinds: faults[`list.${index}.kinds`],
          }}
          onChange={(changed) => change(list.with(index, changed))}
          onRemove={() => change(list.toSpliced(index, 1))}
        />
      ))}
      {save.error && !isNamed ? <ErrorNotice words={errorWords(save.error, t, format)} /> : null}
      {save.isSuccess ? <Notice tone="info">{t("office.alerts.mail.saved")}</Notice> : null}
      <div className={classes.end}>
        <Button
          variant="default"
          disabled={list.length >= MOST_RECIPIENTS}
          onClick={() => change([...list, { address: "", language, kinds: [...MAILED_KINDS] }])}
        >
          {t("office.alerts.mail.add")}
        </Button>
        <Button type="submit" loading={save.isPending}>
          {t("office.alerts.mail.save")}
        </Button>
      </div>
    </form>
  );
}

type Recipient = AlertMail["list"][number];

interface RecipientFieldsProps {
  readonly number: number;
  readonly recipient: Recipient;
  readonly faults: { readonly address: string | undefined; readonly kinds: string | undefined };
  readonly onChange: (recipient: Recipient) => void;
  readonly onRemove: () => void;
}

/** One address: what it gets, and in which language. */
function RecipientFields(props: RecipientFieldsProps) {
  const { number, recipient, faults, onChange, onRemove } = props;
  const { t } = useTranslation();
  const chosen = (kinds: readonly string[]) =>
    onChange({ ...recipient, kinds: MAILED_KINDS.filter((kind) => kinds.includes(kind)) });
  return (
    <fieldset className={classes.recipient}>
      <legend className={classes.small}>{t("office.alerts.mail.recipient", { number })}</legend>
      <div className={classes.fields}>
        <TextInput
          label={t("office.alerts.mail.address")}
          type="email"
          dir="ltr"
          autoComplete="off"
          spellCheck={false}
          value={recipient.address}
          error={faults.address}
          onChange={({ currentTarget }) =>
            onChange({ ...recipient, address: currentTarget.value.trim() })
          }
        />
        <Select
          label={t("office.alerts.mail.language")}
          data={LANGUAGE_CHOICES}
          allowDeselect={false}
          value={recipient.language}
          onChange={(value) => {
            const language = LANGUAGES.find((known) => known === value);
            if (language) onChange({ ...recipient, language });
          }}
        />
      </div>
      <Checkbox.Group
        label={t("office.alerts.mail.kinds")}
        value={[...recipient.kinds]}
        error={faults.kinds}
        onChange={chosen}
      >
        <div className={classes.choices}>
          {MAILED_KINDS.map((kind) => (
            <Checkbox
              key={kind}
              value={kind}
              label={t(`office.alerts.kind.${kind}`)}
              classNames={{ body: classes.choice ?? "" }}
            />
          ))}
        </div>
      </Checkbox.Group>
      <div className={classes.buttons}>
        <Button variant="danger" onClick={onRemove}>
          {t("office.alerts.mail.remove", { number })}
        </Button>
      </div>
    </fieldset>
  );
}

interface OpenAlertsProps extends Pick<OfficeSectionProps, "onOpen"> {
  readonly list: AlertList;
  readonly isOwner: boolean;
}

/** The open alerts with the button of each, and what was resolved lately. */
function OpenAlerts({ list, isOwner, onOpen }: OpenAlertsProps) {
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

interface AlertCardProps extends Pick<OfficeSectionProps, "onOpen"> {
  readonly alert: Alert;
  readonly isOwner: boolean;
}

/** What happened, whose money it is, what to do, and the button to the very place. */
function AlertCard({ alert, isOwner, onOpen }: AlertCardProps) {
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
