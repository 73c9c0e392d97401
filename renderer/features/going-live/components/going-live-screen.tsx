import { Button, Skeleton } from "@mantine/core";
import { IconFlask, IconRefresh, IconShoppingBag } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Environment } from "../../../../server/contract/common.ts";
import type { Readiness, TillState } from "../../../../server/contract/pos/till-environment.ts";
import { ErrorNotice, Notice } from "../../../components/notice.tsx";
import { ViewTabs } from "../../../components/view-tabs.tsx";
import { errorWords } from "../../../lib/error-words.ts";
import { invalidateAnswers } from "../../../lib/operation-query.ts";
import { useFormat } from "../../../lib/use-format.ts";
import { GOING_LIVE_ANSWERS, readinessQuery, tillStateQuery } from "../api/going-live-queries.ts";
import type { RemedyScreen } from "../remedies.ts";
import { CheckList } from "./check-list.tsx";
import { CopyView } from "./copy/copy-view.tsx";
import { FirstSaleDialog } from "./first-sale-dialog.tsx";
import { GatewayView } from "./gateway/gateway-view.tsx";
import classes from "./going-live-screen.module.css";
import { LeftSales } from "./left-sales.tsx";
import { LiveSteps } from "./live-steps.tsx";
import { PilotSection } from "./pilot-section.tsx";
import { PriceChangesDialog } from "./price-changes-dialog.tsx";
import { RateForm } from "./rate-form.tsx";
import type { Remedies } from "./remedy-buttons.tsx";
import { SwitchDialog } from "./switch-dialog.tsx";

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

/** The same that was looked at before the shop went live; shifts are no part of it any more. */
function LiveHealth(remedies: Remedies) {
  const { t } = useTranslation();
  const { data } = useQuery(readinessQuery("live"));
  const checks = data?.checks.filter(({ check }) => check !== "SHIFTS_CLOSED") ?? [];
  return (
    <section className={classes.section} aria-labelledby="live-health">
      <h2 id="live-health" className={classes.legend}>
        {t("goLive.checks.how")}
      </h2>
      {data ? <CheckList checks={checks} {...remedies} /> : <Loading />}
    </section>
  );
}
