import { Button, Progress } from "@mantine/core";
import {
  IconAlertCircle,
  IconCircle,
  IconCircleCheck,
  IconCircleDot,
  IconRefresh,
} from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Environment } from "../../../../server/contract/common.ts";
import type {
  CheckedForLive,
  GoingLiveCheck,
  LeftLine,
  Readiness,
  TillState,
} from "../../../../server/contract/pos/till-environment.ts";
import { BackButton } from "../../../components/back-button.tsx";
import { Loading } from "../../../components/loading.tsx";
import { ErrorNotice } from "../../../components/notice.tsx";
import { OfficeScreen } from "../../../components/office-screen.tsx";
import { OutcomeBadge } from "../../../components/outcome-badge.tsx";
import { errorWords } from "../../../lib/error-words.ts";
import { useNow } from "../../../lib/gateway-clock.ts";
import { invalidateAnswers } from "../../../lib/operation-query.ts";
import { useFormat } from "../../../lib/use-format.ts";
import { GOING_LIVE_ANSWERS, readinessQuery, tillStateQuery } from "../api/going-live-queries.ts";
import { checkWords, reasonOf } from "../check-words.ts";
import type { RemedyScreen } from "../remedies.ts";
import { CopyView } from "./copy/copy-view.tsx";
import { GatewayView } from "./gateway/gateway-view.tsx";
import classes from "./going-live-screen.module.css";
import { FirstSaleDialog, PriceChangesDialog, type Remedies, RemedyButtons } from "./remedies.tsx";
import { PilotSection, SwitchDialog } from "./switch-dialog.tsx";

const MINUTE_MS = 60_000;

const COLUMNS = [
  [
    {
      name: "provider",
      checks: [
        "GATEWAY_ANSWERS",
        "GATEWAY_KEY_LIVE",
        "GATEWAY_ENCRYPTED",
        "GATEWAY_CURRENCY",
        "CLOCKS_EQUAL",
        "CATALOG_SYNCED",
        "CATALOG_FOR_COUNTRY",
        "SYNC_READ",
        "WALLET_FUNDED",
        "WALLET_MATCHES_GATEWAY",
        "WALLET_COVERS_DAY",
        "ALERT_AMOUNT_SET",
      ],
    },
    {
      name: "prices",
      checks: ["RATE_RECENT", "RATE_NEAR_REFERENCE", "PRICES_COVER_COST", "PRICES_SEEN"],
    },
  ],
  [
    {
      name: "shop",
      checks: [
        "PRACTISED",
        "OWNER_PIN_CHANGED",
        "LIMITS_SET",
        "TIME_ZONE_CONFIRMED",
        "RECEIPT_FILLED",
        "RECEIPT_TESTED",
        "DRAWER_OPENED",
        "ALERT_TESTED",
        "BACKUP_RESTORED",
        "DISK_HAS_ROOM",
        "LIVE_KEYS_MADE",
        "KEYS_LIMITED",
        "WEBHOOKS_ANSWER",
      ],
    },
    { name: "open", checks: ["FIRST_SALE", "SHIFTS_CLOSED"] },
  ],
] as const satisfies readonly (readonly {
  readonly name: string;
  readonly checks: readonly GoingLiveCheck[];
}[])[];

const ORDER: readonly GoingLiveCheck[] = COLUMNS.flat().flatMap(({ checks }) => checks);

/** Views of the page, as named in the address. */
const VIEWS = ["path", "gateway", "copy"] as const;
type View = (typeof VIEWS)[number];

interface GoingLiveScreenProps {
  readonly view: string | undefined;
  readonly onView: (view: View) => void;
  readonly onScreen: (to: RemedyScreen) => void;
  readonly onSection: Remedies["onSection"];
}

export function GoingLiveScreen({ view: wanted, ...props }: GoingLiveScreenProps) {
  const { t } = useTranslation();
  const view = VIEWS.find((one) => one === wanted) ?? "path";
  if (view === "path") return <PathView {...props} />;
  return (
    <OfficeScreen
      title={t(`office.live.views.${view}`)}
      actions={<BackButton onClick={() => props.onView("path")}>{t("goLive.title")}</BackButton>}
      isSheet
    >
      {view === "gateway" ? <GatewayView /> : <CopyView />}
    </OfficeScreen>
  );
}

type PathViewProps = Omit<GoingLiveScreenProps, "view">;

function PathView(props: PathViewProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const queryClient = useQueryClient();
  const state = useQuery(tillStateQuery());
  return (
    <OfficeScreen
      title={t("goLive.title")}
      actions={
        <>
          <Button variant="default" onClick={() => props.onView("gateway")}>
            {t("office.live.views.gateway")}
          </Button>
          <Button variant="default" onClick={() => props.onView("copy")}>
            {t("office.live.views.copy")}
          </Button>
          <Button
            variant="default"
            leftSection={<IconRefresh size="1.125rem" aria-hidden="true" />}
            onClick={() => void invalidateAnswers(queryClient, GOING_LIVE_ANSWERS)}
          >
            {t("goLive.checks.again")}
          </Button>
        </>
      }
    >
      {state.data ? <Loaded key={state.data.environment} state={state.data} {...props} /> : null}
      {state.error && !state.data ? (
        <ErrorNotice words={errorWords(state.error, t, format)} />
      ) : null}
      {state.isPending ? <Loading heights={["24rem"]} /> : null}
    </OfficeScreen>
  );
}

function Loaded({
  state,
  onScreen,
  onSection,
  onView,
}: PathViewProps & { readonly state: TillState }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { environment } = state;
  const to = environment === "test" ? "live" : "test";
  const readiness = useQuery(readinessQuery(to));
  // After going live, the steps are still checked. A failed step is then red.
  const steps = useQuery(readinessQuery("live"));
  const [dialog, setDialog] = useState<"switch" | "prices" | "first-sale">();
  const remedies = {
    onScreen,
    onSection,
    onGateway: () => onView("gateway"),
    onPrices: () => setDialog("prices"),
    onFirstSale: () => setDialog("first-sale"),
  };
  const onClose = () => setDialog(undefined);
  return (
    <>
      <Hero
        state={state}
        steps={steps.data}
        readiness={readiness.data}
        onSwitch={() => setDialog("switch")}
      />
      <PilotSection state={state} />
      {to === "test" ? <Obstacles readiness={readiness.data} {...remedies} /> : null}
      {steps.error && !steps.isFetching ? (
        <ErrorNotice words={errorWords(steps.error, t, format)} />
      ) : null}
      {steps.data ? (
        <Checklist checks={steps.data.checks} isLive={environment === "live"} {...remedies} />
      ) : null}
      {steps.isPending ? <Loading heights={["24rem"]} /> : null}
      <LeftSales left={state.left} />
      {dialog === "switch" && readiness.data ? (
        <SwitchDialog to={to} state={state} readiness={readiness.data} onClose={onClose} />
      ) : null}
      {dialog === "prices" ? <PriceChangesDialog onClose={onClose} /> : null}
      {dialog === "first-sale" ? <FirstSaleDialog onClose={onClose} /> : null}
    </>
  );
}

interface HeroProps {
  readonly state: TillState;
  readonly steps: Readiness | undefined;
  readonly readiness: Readiness | undefined;
  readonly onSwitch: () => void;
}

function Hero({ state, steps, readiness, onSwitch }: HeroProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const { environment, since } = state;
  const to: Environment = environment === "test" ? "live" : "test";
  const all = steps?.checks.length ?? 0;
  const done = steps?.checks.filter(({ passed }) => passed).length ?? 0;
  return (
    <section className={classes.hero} data-environment={environment} aria-labelledby="live-here">
      <div className={classes.progress}>
        <div className="flex wrap justify-between items-baseline gap-1-4">
          <h2 id="live-here" className="ink size-title">
            {environment === "test" && steps && done < all
              ? t("goLive.stepsLeft", { count: all - done })
              : t(`goLive.here.${environment}`)}
          </h2>
          {environment === "test" && steps ? (
            <span>{t("goLive.done", { done: format.number(done), all: format.number(all) })}</span>
          ) : null}
          {since ? <span>{t("goLive.switched", { time: format.moment(since) })}</span> : null}
        </div>
        {environment === "test" ? (
          <Progress value={all === 0 ? 0 : (100 * done) / all} aria-hidden="true" />
        ) : null}
        <p aria-live="polite">
          {environment === "test" && readiness?.ready
            ? t("goLive.checks.ready")
            : t(`goLive.hint.${environment}`)}
        </p>
      </div>
      <div className={classes.switchTo}>
        <Button
          size="lg"
          variant={environment === "live" ? "default" : "filled"}
          disabled={!readiness?.ready}
          onClick={onSwitch}
        >
          {t(`goLive.to.${to}`)}
        </Button>
        {/* Keeps its room when the checks pass, so that the button does not move. */}
        {environment === "live" ? null : (
          <small data-hidden={readiness?.ready}>{t("goLive.opens")}</small>
        )}
      </div>
    </section>
  );
}

interface ObstaclesProps extends Remedies {
  readonly readiness: Readiness | undefined;
}

function Obstacles({ readiness, ...remedies }: ObstaclesProps) {
  const { t } = useTranslation();
  const stops = readiness?.checks.filter(({ passed, stops }) => stops && !passed) ?? [];
  return stops.length === 0 ? null : (
    <section className="overflow-hidden card" aria-labelledby="live-back">
      <h2 id="live-back" className={classes.head}>
        {t("goLive.checks.test")}
      </h2>
      <ul>
        {stops.map((check) => (
          <Step key={check.check} check={check} isNext isLive={false} {...remedies} />
        ))}
      </ul>
    </section>
  );
}

interface ChecklistProps extends Remedies {
  readonly checks: readonly CheckedForLive[];
  readonly isLive: boolean;
}

function Checklist({ checks, isLive, ...remedies }: ChecklistProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const known = new Map(checks.map((check) => [check.check, check]));
  const inOrder = ORDER.flatMap((name) => known.get(name) ?? []);
  // Highlights the first open required step, or else the first open recommended step.
  const open = inOrder.filter(({ passed }) => !passed);
  const next = (open.find(({ stops }) => stops) ?? open[0])?.check;
  return (
    <div className={classes.columns}>
      {COLUMNS.map((groups) => (
        <div key={groups[0].name} className="stack gap-4 min-w-0">
          {groups.map(({ name, checks: names }) => {
            const own = names.flatMap((one) => known.get(one) ?? []);
            const done = own.filter(({ passed }) => passed).length;
            return own.length === 0 ? null : (
              <section key={name} className="overflow-hidden card" aria-labelledby={`live-${name}`}>
                <div className={classes.head}>
                  <h2 id={`live-${name}`} className="ink size-body tracking-0">
                    {t(`goLive.group.${name}`)}
                  </h2>
                  <span>
                    {t("goLive.part", {
                      done: format.number(done),
                      all: format.number(own.length),
                    })}
                  </span>
                </div>
                <ul>
                  {own.map((check) => (
                    <Step
                      key={check.check}
                      check={check}
                      isNext={check.check === next}
                      isLive={isLive}
                      {...remedies}
                    />
                  ))}
                </ul>
              </section>
            );
          })}
        </div>
      ))}
    </div>
  );
}

interface StepProps extends Remedies {
  readonly check: CheckedForLive;
  readonly isNext: boolean;
  readonly isLive: boolean;
}

/** A passed step is unobtrusive. A failed step is red only after going live. */
function Step({ check, isNext, isLive, ...remedies }: StepProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const { passed, stops } = check;
  const isBroken = isLive && !passed;
  const reason = reasonOf(check);
  return (
    <li
      className={classes.step}
      data-kind={kindOf(check)}
      data-next={isNext && !passed}
      data-broken={isBroken}
    >
      <StepSign check={check} isNext={isNext} isBroken={isBroken} />
      <div className={classes.words}>
        <span className={classes.what}>{t(`goLive.step.${check.check}`)}</span>
        {passed ? null : (
          <small>
            {checkWords(check, t, format)}
            {stops || isLive ? null : ` ${t("goLive.recommended")}`}
          </small>
        )}
        {reason === "" ? null : (
          <small lang="en" dir="ltr">
            {reason}
          </small>
        )}
      </div>
      {passed ? (
        <span className={classes.done}>{t("goLive.isDone")}</span>
      ) : (
        <RemedyButtons check={check} isNext={isNext} {...remedies} />
      )}
    </li>
  );
}

function StepSign({
  check,
  isNext,
  isBroken,
}: Pick<StepProps, "check" | "isNext"> & { readonly isBroken: boolean }) {
  const props = { size: "1.375rem", stroke: 1.75, className: classes.sign, "aria-hidden": true };
  if (check.passed) return <IconCircleCheck {...props} />;
  if (isBroken) return <IconAlertCircle {...props} />;
  return isNext ? <IconCircleDot {...props} /> : <IconCircle {...props} />;
}

function kindOf({ passed, stops }: CheckedForLive): "passed" | "stops" | "warns" {
  if (passed) return "passed";
  return stops ? "stops" : "warns";
}

function LeftSales({ left }: { readonly left: TillState["left"] }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { environment, lines, total } = left;
  const unlisted = total - lines.filter(({ finishedAt }) => finishedAt === undefined).length;
  if (total === 0 && lines.length === 0) return null;
  return (
    <section className={classes.card} aria-labelledby="live-left">
      <h2 id="live-left" className="ink size-body tracking-0">
        {t(`goLive.left.${environment}.title`)}
      </h2>
      <p className="soft">
        {total === 0
          ? t(`goLive.left.${environment}.none`)
          : t("goLive.left.number", { number: format.number(total) })}
      </p>
      {lines.length === 0 ? null : (
        <ul className="stack" aria-labelledby="live-left">
          {lines.map((line) => (
            <LeftRow key={line.transactionId} line={line} />
          ))}
        </ul>
      )}
      {unlisted > 0 ? (
        <p className="soft">{t("goLive.left.more", { number: format.number(unlisted) })}</p>
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
