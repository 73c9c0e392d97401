import { Button, SegmentedControl } from "@mantine/core";
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { UpdateState } from "../../../../electron/ipc/ipc-map.ts";
import {
  type Shift,
  shiftOperations,
  type ZReport,
} from "../../../../server/contract/pos/shifts.ts";
import type { StaffName } from "../../../../server/contract/pos/staff.ts";
import { KeyCap } from "../../../components/key-cap.tsx";
import { MoreButton } from "../../../components/loading.tsx";
import { Notice, Trouble } from "../../../components/notice.tsx";
import { call } from "../../../lib/api-client.ts";
import type { MoneyUnit } from "../../../lib/money.ts";
import { invalidateAnswers } from "../../../lib/operation-query.ts";
import { useFormat } from "../../../lib/use-format.ts";
import { varianceWords } from "../../../lib/variance-words.ts";
import {
  currentShiftQuery,
  openShiftsQuery,
  SHIFT_ANSWERS,
  zReportsQuery,
} from "../api/shift-queries.ts";
import { NO_CASH, readCash } from "../cash-count.ts";
import { useFigureFormat } from "../use-figure-format.ts";
import type { WholeX } from "../whole-x.ts";
import { Awaited } from "./awaited.tsx";
import { CashField } from "./cash-field.tsx";
import { OpenShift } from "./open-shift.tsx";
import { OwnShift } from "./own-shift.tsx";
import forceCloseFormClasses from "./shift-form.module.css";
import classes from "./shift-screen.module.css";
import { ZReportCard } from "./z-report-card.tsx";

const ASK_EVERY_MS = 60_000;
/** The desktop app, not the gateway, answers this query. */
const UPDATE_KEY = ["update"];

interface ShiftScreenProps {
  readonly staff: StaffName;
  readonly till: MoneyUnit;
  readonly onPrint: (zNumber: number) => Promise<void>;
  readonly onPrintX: (x: WholeX) => Promise<void>;
}

const VIEWS = ["own", "open", "reports"] as const;

export function ShiftScreen({ staff, till, onPrint, onPrintX }: ShiftScreenProps) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const [view, setView] = useState<string>("own");
  const [closed, setClosed] = useState<ZReport>();

  function showClosed(report: ZReport) {
    setClosed(report);
    if (report.shift.staff.staffId === staff.staffId) {
      queryClient.setQueryData(currentShiftQuery().queryKey, {});
    }
    void invalidateAnswers(queryClient, SHIFT_ANSWERS);
  }

  return (
    // The key resets the scroll position, so that a Z report is shown from its top.
    <main className="min-h-0 overflow-y-auto" key={closed?.zNumber}>
      <div className={classes.card}>
        <div className="row wrap justify-between gap-3">
          <h1 className="size-heading strong leading-115">{t("shift.title")}</h1>
          {staff.role === "owner" ? (
            <SegmentedControl
              aria-label={t("shift.view.label")}
              data={VIEWS.map((value) => ({ value, label: t(`shift.view.${value}`) }))}
              value={view}
              onChange={(value) => {
                setClosed(undefined);
                setView(value);
              }}
            />
          ) : null}
        </div>
        {closed ? (
          <>
            <ZReportCard report={closed} onPrint={onPrint} />
            <Button className="self-start" variant="default" onClick={() => setClosed(undefined)}>
              {t(view === "own" ? "shift.z.again" : "shift.view.open")}
            </Button>
          </>
        ) : (
          <View
            view={view}
            staff={staff}
            till={till}
            onClosed={showClosed}
            onPrint={onPrint}
            onPrintX={onPrintX}
          />
        )}
        <UpdateNotice />
      </div>
    </main>
  );
}

interface ViewProps extends ShiftScreenProps {
  readonly view: string;
  readonly onClosed: (report: ZReport) => void;
}

function View({ view, staff, till, onClosed, onPrint, onPrintX }: ViewProps) {
  const shift = useQuery(currentShiftQuery());
  const current = shift.data;
  // Stays on the screen until the Z report is here, although the gateway may have closed it.
  const [closing, setClosing] = useState<Shift>();
  if (view === "open") {
    return <OpenShifts ownStaffId={staff.staffId} onClosed={onClosed} />;
  }
  if (view === "reports") {
    return <ZReportList onPrint={onPrint} />;
  }
  if (!current) {
    return <Awaited query={shift} />;
  }
  const own = current.shift ?? closing;
  return own ? (
    <OwnShift
      key={own.shiftId}
      shift={own}
      onClosed={onClosed}
      onClosing={(isClosing) => setClosing(isClosing ? own : undefined)}
      onPrint={onPrintX}
    />
  ) : (
    <OpenShift {...till} />
  );
}

/**
 * Desktop app only: a new version waits for the end of the shift. The notice is at the bottom, so
 * that it moves no buttons.
 */
function UpdateNotice() {
  const { t } = useTranslation();
  const { data } = useQuery({
    queryKey: UPDATE_KEY,
    queryFn: async (): Promise<UpdateState> =>
      (await window.tillgate?.updateState()) ?? { ready: false },
    refetchInterval: ASK_EVERY_MS,
    enabled: window.tillgate !== undefined,
  });
  return data?.ready ? (
    <div className={classes.foot}>
      <Notice tone="info">{t(data.failed ? "shift.updateFailed" : "shift.updateReady")}</Notice>
    </div>
  ) : null;
}

interface ZReportListProps {
  readonly onPrint: (zNumber: number) => Promise<void>;
}

function ZReportList({ onPrint }: ZReportListProps) {
  const { t } = useTranslation();
  const reports = useInfiniteQuery(zReportsQuery());
  const [chosen, setChosen] = useState<number>();
  const all = reports.data?.pages.flatMap(({ list }) => list) ?? [];
  const shown = all.find(({ zNumber }) => zNumber === chosen) ?? all[0];
  return (
    <div className={classes.columns} data-reports="true">
      <div className="stack gap-4 min-w-0">
        <Awaited query={reports} />
        {reports.isSuccess && all.length === 0 ? <p className="soft">{t("shift.z.none")}</p> : null}
        <ul className="stack gap-2" aria-label={t("shift.z.list")}>
          {all.map((report) => (
            <ReportRow
              key={report.zNumber}
              report={report}
              isChosen={report.zNumber === shown?.zNumber}
              onChoose={() => setChosen(report.zNumber)}
            />
          ))}
        </ul>
        <MoreButton pages={reports}>{t("shift.z.more")}</MoreButton>
      </div>
      <div>
        {shown ? <ZReportCard key={shown.zNumber} report={shown} onPrint={onPrint} /> : null}
      </div>
    </div>
  );
}

interface ReportRowProps {
  readonly report: ZReport;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
}

function ReportRow({ report, isChosen, onChoose }: ReportRowProps) {
  const format = useFormat();
  const { t, money } = useFigureFormat(report.shift, report.figures);
  return (
    <li>
      <button type="button" className={classes.pick} aria-current={isChosen} onClick={onChoose}>
        <span className="medium tabular nowrap">{report.zNumber}</span>
        <span className={classes.grow}>
          {report.shift.staff.name}
          <small className="block soft regular">{format.moment(report.closedAt)}</small>
          <small className="block soft regular">{varianceWords(report.variance, t, money)}</small>
        </span>
      </button>
    </li>
  );
}

interface OpenShiftsProps {
  readonly ownStaffId: string;
  readonly onClosed: (report: ZReport) => void;
}

/** Owners can close a shift that its person has left open. */
function OpenShifts({ ownStaffId, onClosed }: OpenShiftsProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const shifts = useQuery(openShiftsQuery());
  const [chosen, setChosen] = useState<Shift>();
  const list = shifts.data?.list ?? [];
  return (
    <div className={classes.columns}>
      <div className="stack gap-4 min-w-0">
        <Awaited query={shifts} />
        {shifts.isSuccess && list.length === 0 ? (
          <p className="soft">{t("shift.others.none")}</p>
        ) : null}
        <ul className="stack gap-2" aria-label={t("shift.others.list")}>
          {list.map(({ shift, expectedCash }) => (
            <li key={shift.shiftId} className={classes.item}>
              <span className={classes.grow}>
                {shift.staff.name}
                <small className="block soft regular">
                  {t("shift.since", format.when(shift.openedAt))} ·{" "}
                  {t("common.labelled", {
                    label: t("shift.figures.expected"),
                    value: format.money(expectedCash, shift.currency, shift.currencyDivisor),
                  })}
                </small>
              </span>
              {shift.staff.staffId === ownStaffId ? null : (
                <Button variant="default" onClick={() => setChosen(shift)}>
                  {t("shift.others.force", { name: shift.staff.name })}
                </Button>
              )}
            </li>
          ))}
        </ul>
      </div>
      {chosen ? (
        <aside className="stack gap-4 min-w-0" aria-label={t("shift.do.close")}>
          <ForceCloseForm key={chosen.shiftId} shift={chosen} onClosed={onClosed} />
        </aside>
      ) : null}
    </div>
  );
}

interface ForceCloseFormProps {
  readonly shift: Shift;
  readonly onClosed: (report: ZReport) => void;
}

function ForceCloseForm({ shift, onClosed }: ForceCloseFormProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const [draft, setDraft] = useState(NO_CASH);
  const { amount, count } = readCash(draft, shift.currencyDivisor);
  const close = useMutation({
    mutationFn: () =>
      call(shiftOperations.forceClose, {
        params: { shiftId: shift.shiftId },
        body: { ...(amount !== undefined && { counted: amount }), ...(count && { count }) },
      }),
    onSuccess: onClosed,
  });
  return (
    <form
      className={forceCloseFormClasses.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (!close.isPending) {
          close.mutate();
        }
      }}
    >
      <h2 className="size-label">{t("shift.others.forceTitle", { name: shift.staff.name })}</h2>
      <p className="soft">{t("shift.others.forceHint")}</p>
      <CashField
        label={t("shift.close.counted")}
        draft={draft}
        currency={shift.currency}
        currencyDivisor={shift.currencyDivisor}
        onChange={setDraft}
      />
      <Trouble error={close.error} />
      <button type="submit" className={forceCloseFormClasses.primary} disabled={close.isPending}>
        <span>
          {amount === undefined
            ? t("shift.others.forceUncounted")
            : t("shift.close.submit", {
                amount: format.money(amount, shift.currency, shift.currencyDivisor),
              })}
        </span>
        <KeyCap>Enter</KeyCap>
      </button>
    </form>
  );
}
