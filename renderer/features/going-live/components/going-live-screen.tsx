import { Button, Skeleton } from "@mantine/core";
import {
  IconAlertTriangle,
  IconCircleCheck,
  IconCircleX,
  IconFlask,
  IconRefresh,
  IconShoppingBag,
} from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Environment } from "../../../../server/contract/common.ts";
import type {
  CheckedForLive,
  LeftLine,
  LiveStep,
  Readiness,
  TillState,
} from "../../../../server/contract/pos/till-environment.ts";
import { ErrorNotice, Notice } from "../../../components/notice.tsx";
import { OutcomeBadge } from "../../../components/outcome-badge.tsx";
import { ViewTabs } from "../../../components/view-tabs.tsx";
import { errorWords } from "../../../lib/error-words.ts";
import { invalidateAnswers } from "../../../lib/operation-query.ts";
import { useFormat } from "../../../lib/use-format.ts";
import { useNow } from "../../../lib/use-now.ts";
import { GOING_LIVE_ANSWERS, readinessQuery, tillStateQuery } from "../api/going-live-queries.ts";
import { checkWords, reasonOf } from "../check-words.ts";
import type { RemedyScreen } from "../remedies.ts";
import { CopyView } from "./copy/copy-view.tsx";
import { FirstSaleDialog } from "./first-sale-dialog.tsx";
import { GatewayView } from "./gateway/gateway-view.tsx";
import classes from "./going-live-screen.module.css";
import { PilotSection } from "./pilot-section.tsx";
import { PriceChangesDialog } from "./price-changes-dialog.tsx";
import { RateForm } from "./rate-form.tsx";
import { type Remedies, RemedyButtons } from "./remedy-buttons.tsx";
import { SwitchDialog } from "./switch-dialog.tsx";

const STEPS: readonly LiveStep[] = ["PRACTICE", "CHECKING", "PILOT", "LIVE"];

const MINUTE_MS = 60_000;

const KINDS = [
  { kind: "stops", Icon: IconCircleX },
  { kind: "warns", Icon: IconAlertTriangle },
  { kind: "passed", Icon: IconCircleCheck },
] as const;

/** The parts of the page, as its address names them. */
const VIEWS = ["path", "gateway", "copy"] as const;
type View = (typeof VIEWS)[number];

interface GoingLiveScreenProps {
  readonly view: string | undefined;
  readonly onView: (view: View) => void;
  readonly onScreen: (to: RemedyScreen) => void;
  readonly onSection: Remedies["onSection"];
}

/** Where the tills sell, what is missing before they sell elsewhere, and the switch; for the owner. */
export function GoingLiveScreen({ view: wanted, ...props }: GoingLiveScreenProps) {
  const { t } = useTranslation();
  const view = VIEWS.find((one) => one === wanted) ?? "path";
  return (
    <main className={classes.screen}>
      <div className={classes.sheet}>
        <h1 className={classes.title}>{t("goLive.title")}</h1>
        <ViewTabs
          label={t("office.live.views.label")}
          views={VIEWS.map((value) => ({ value, label: t(`office.live.views.${value}`) }))}
          view={view}
          onView={props.onView}
        />
        {view === "path" ? <PathView {...props} /> : null}
        {view === "gateway" ? <GatewayView /> : null}
        {view === "copy" ? <CopyView /> : null}
      </div>
    </main>
  );
}

type PathViewProps = Omit<GoingLiveScreenProps, "view">;

function PathView(props: PathViewProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const state = useQuery(tillStateQuery());
  return (
    <>
      {state.data ? <Loaded key={state.data.environment} state={state.data} {...props} /> : null}
      {state.error && !state.data ? (
        <ErrorNotice words={errorWords(state.error, t, format)} />
      ) : null}
      {state.isPending ? <Loading /> : null}
    </>
  );
}

function Loading() {
  const { t } = useTranslation();
  return (
    <div className={classes.group} role="status" aria-busy="true" aria-label={t("common.loading")}>
      <Skeleton height="3.5rem" radius="md" />
      <Skeleton height="3.5rem" radius="md" />
      <Skeleton height="3.5rem" radius="md" />
    </div>
  );
}

function Loaded({
  state,
  onScreen,
  onSection,
  onView,
}: PathViewProps & { readonly state: TillState }) {
  const { environment } = state;
  const to = environment === "test" ? "live" : "test";
  const readiness = useQuery(readinessQuery(to));
  const [dialog, setDialog] = useState<"switch" | "prices" | "first-sale">();
  const rate = useRef<HTMLInputElement>(null);
  const remedies = {
    onScreen,
    onSection,
    onGateway: () => onView("gateway"),
    onRate: () => rate.current?.focus(),
    onPrices: () => setDialog("prices"),
    onFirstSale: () => setDialog("first-sale"),
  };
  const onClose = () => setDialog(undefined);
  return (
    <>
      <LiveSteps step={state.step} />
      <Here state={state} readiness={readiness.data} to={to} onSwitch={() => setDialog("switch")} />
      <PilotSection state={state} />
      <Checks to={to} {...remedies} />
      {environment === "live" ? <LiveHealth {...remedies} /> : null}
      <RateForm state={state} field={rate} />
      <LeftSales left={state.left} />
      {dialog === "switch" && readiness.data ? (
        <SwitchDialog to={to} state={state} readiness={readiness.data} onClose={onClose} />
      ) : null}
      {dialog === "prices" ? <PriceChangesDialog onClose={onClose} /> : null}
      {dialog === "first-sale" ? <FirstSaleDialog onClose={onClose} /> : null}
    </>
  );
}

interface HereProps {
  readonly state: TillState;
  readonly readiness: Readiness | undefined;
  readonly to: Environment;
  readonly onSwitch: () => void;
}

/** Where the tills sell now, in words, a colour and a sign; and the way to the other. */
function Here({ state, readiness, to, onSwitch }: HereProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const { environment, since } = state;
  const Icon = environment === "test" ? IconFlask : IconShoppingBag;
  return (
    <section className={classes.here} data-environment={environment}>
      <Icon size="2rem" stroke={1.75} aria-hidden="true" />
      <div className={classes.words}>
        <strong className={classes.place}>{t(`goLive.here.${environment}`)}</strong>
        <span>{t(`goLive.hint.${environment}`)}</span>
        {since ? <span>{t("goLive.switched", { time: format.moment(since) })}</span> : null}
      </div>
      <Button size="md" disabled={!readiness?.ready} onClick={onSwitch}>
        {t(`goLive.to.${to}`)}
      </Button>
    </section>
  );
}

function Checks({ to, ...remedies }: Remedies & { readonly to: Environment }) {
  const { t } = useTranslation();
  const format = useFormat();
  const queryClient = useQueryClient();
  const { data, error, isFetching } = useQuery(readinessQuery(to));
  return (
    <section className={classes.section} aria-labelledby="live-checks">
      <div className={classes.head}>
        <h2 id="live-checks" className={classes.legend}>
          {t(`goLive.checks.${to}`)}
        </h2>
        <Button
          variant="default"
          leftSection={<IconRefresh size="1.25rem" aria-hidden="true" />}
          loading={isFetching}
          onClick={() => void invalidateAnswers(queryClient, GOING_LIVE_ANSWERS)}
        >
          {t("goLive.checks.again")}
        </Button>
      </div>
      <div aria-live="polite" className={classes.section}>
        {data?.ready ? <Notice tone="info">{t("goLive.checks.ready")}</Notice> : null}
        {!data && isFetching ? <p className={classes.soft}>{t("goLive.checks.loading")}</p> : null}
      </div>
      {error && !isFetching ? <ErrorNotice words={errorWords(error, t, format)} /> : null}
      {data ? <CheckList checks={data.checks} {...remedies} /> : null}
      {!data && isFetching ? <Loading /> : null}
    </section>
  );
}

/** The checks that were made before the shop went live. */
function LiveHealth(remedies: Remedies) {
  const { t } = useTranslation();
  const { data } = useQuery(readinessQuery("live"));
  return (
    <section className={classes.section} aria-labelledby="live-health">
      <h2 id="live-health" className={classes.legend}>
        {t("goLive.checks.how")}
      </h2>
      {data ? <CheckList checks={data.checks} {...remedies} /> : <Loading />}
    </section>
  );
}

interface CheckListProps extends Remedies {
  readonly checks: readonly CheckedForLive[];
}

type Kind = (typeof KINDS)[number]["kind"];

/** What stops the shop, what is good to know, and what is in order: each with what to do about it. */
function CheckList({ checks, ...remedies }: CheckListProps) {
  const { t } = useTranslation();
  const format = useFormat();
  // A group below one of another height is drawn in its place instead of sliding.
  const heights = KINDS.map(
    ({ kind }) => checks.filter((one) => kindOf(one) === kind).length,
  ).join();
  return KINDS.map(({ kind, Icon }) => {
    const found = checks.filter((check) => kindOf(check) === kind);
    return found.length === 0 ? null : (
      <div key={`${kind} ${heights}`} className={classes.group} data-kind={kind}>
        <h3 className={classes.kind}>
          {t(`goLive.checks.${kind}`, { number: format.number(found.length) })}
        </h3>
        <ul className={classes.checks}>
          {found.map((check) => (
            <li key={check.check} className={classes.check}>
              <Icon size="1.25rem" stroke={2} aria-hidden="true" className={classes.sign} />
              <div className={classes.words}>
                <p>{checkWords(check, t, format)}</p>
                {reasonOf(check) === "" ? null : (
                  <p className={classes.small} lang="en" dir="ltr">
                    {reasonOf(check)}
                  </p>
                )}
                <RemedyButtons check={check} {...remedies} />
              </div>
            </li>
          ))}
        </ul>
      </div>
    );
  });
}

function kindOf({ passed, stops }: CheckedForLive): Kind {
  if (passed) {
    return "passed";
  }
  return stops ? "stops" : "warns";
}

/** Sales where the shop no longer sells: until when they are tried, and their outcome. */
function LeftSales({ left }: { readonly left: TillState["left"] }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { environment, lines, total } = left;
  const unlisted = total - lines.filter(({ finishedAt }) => finishedAt === undefined).length;
  return (
    <section className={classes.section} aria-labelledby="live-left">
      <h2 id="live-left" className={classes.legend}>
        {t(`goLive.left.${environment}.title`)}
      </h2>
      <p className={classes.soft}>
        {total === 0
          ? t(`goLive.left.${environment}.none`)
          : t("goLive.left.number", { number: format.number(total) })}
      </p>
      {lines.length === 0 ? null : (
        <ul className={classes.checks} aria-labelledby="live-left">
          {lines.map((line) => (
            <LeftRow key={line.transactionId} line={line} />
          ))}
        </ul>
      )}
      {unlisted > 0 ? (
        <p className={classes.soft}>{t("goLive.left.more", { number: format.number(unlisted) })}</p>
      ) : null}
    </section>
  );
}

function LeftRow({ line }: { readonly line: LeftLine }) {
  const { t } = useTranslation();
  const format = useFormat();
  const now = useNow(MINUTE_MS);
  const { saleNumber: number, finishedAt } = line;
  const amount = format.money(line.price, line.currency, line.currencyDivisor);
  return (
    <li className={classes.sale}>
      <span className={classes.words}>
        <span>
          <bdi>{line.brandName}</bdi> <bdi dir="ltr">{line.recipient}</bdi> · {amount} ·{" "}
          <bdi>{line.seller}</bdi>
        </span>
        <span className={classes.small}>
          {finishedAt === undefined
            ? t("shift.close.until", { number, until: format.until(line.keepTryingUntil, now) })
            : t("goLive.left.finished", { number, time: format.moment(finishedAt) })}
        </span>
        {line.owed && line.environment === "live" ? (
          <strong>{t("goLive.left.owed", { amount })}</strong>
        ) : null}
      </span>
      <OutcomeBadge outcome={line.outcome} />
    </li>
  );
}

function stateOf(index: number, now: number): "done" | "now" | "later" {
  if (index === now) {
    return "now";
  }
  return index < now ? "done" : "later";
}

/** How far the shop is on the way to live. */
function LiveSteps({ step }: { readonly step: LiveStep }) {
  const { t } = useTranslation();
  const now = STEPS.indexOf(step);
  return (
    <ol className={classes.steps} aria-label={t("office.live.step.label")}>
      {STEPS.map((one, index) => (
        <li
          key={one}
          className={classes.step}
          data-state={stateOf(index, now)}
          aria-current={index === now ? "step" : undefined}
        >
          {t(`office.live.step.${one}`)}
        </li>
      ))}
    </ol>
  );
}
