import { Button, SegmentedControl } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { ZReport } from "../../../../server/contract/pos/shifts.ts";
import type { StaffName } from "../../../../server/contract/pos/staff.ts";
import { invalidateAnswers } from "../../../lib/operation-query.ts";
import { currentShiftQuery, SHIFT_ANSWERS } from "../api/shift-queries.ts";
import type { WholeX } from "../whole-x.ts";
import { Awaited } from "./awaited.tsx";
import type { Currency } from "./cash-field.tsx";
import { OpenShift } from "./open-shift.tsx";
import { OpenShifts } from "./open-shifts.tsx";
import { OwnShift } from "./own-shift.tsx";
import classes from "./shift-screen.module.css";
import { UpdateNotice } from "./update-notice.tsx";
import { ZReportCard } from "./z-report-card.tsx";
import { ZReportList } from "./z-report-list.tsx";

interface ShiftScreenProps {
  readonly staff: StaffName;
  readonly till: Currency;
  readonly onPrint: (zNumber: number) => Promise<void>;
  readonly onPrintX: (x: WholeX) => Promise<void>;
}

const VIEWS = ["own", "open", "reports"] as const;

/** The own shift from float to Z, and for owners everybody's. */
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
    <main className={classes.screen}>
      <div className={classes.card}>
        <div className={classes.top}>
          <h1 className={classes.title}>{t("shift.title")}</h1>
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
            <Button
              className={classes.again ?? ""}
              variant="default"
              onClick={() => setClosed(undefined)}
            >
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
  if (view === "open") {
    return <OpenShifts ownStaffId={staff.staffId} onClosed={onClosed} />;
  }
  if (view === "reports") {
    return <ZReportList onPrint={onPrint} />;
  }
  if (!current) {
    return <Awaited query={shift} />;
  }
  return current.shift ? (
    <OwnShift
      key={current.shift.shiftId}
      shift={current.shift}
      onClosed={onClosed}
      onPrint={onPrintX}
    />
  ) : (
    <OpenShift {...till} />
  );
}
