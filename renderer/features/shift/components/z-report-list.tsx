import { Button } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { ZReport } from "../../../../server/contract/pos/shifts.ts";
import { useFormat } from "../../../lib/use-format.ts";
import { varianceWords } from "../../../lib/variance-words.ts";
import { zReportsQuery } from "../api/shift-queries.ts";
import { useFigureFormat } from "../use-figure-format.ts";
import { Awaited } from "./awaited.tsx";
import classes from "./shift-screen.module.css";
import { ZReportCard } from "./z-report-card.tsx";

interface ZReportListProps {
  readonly onPrint: (zNumber: number) => Promise<void>;
}

/** Every report of the environment, newest first, and one of them in full; for owners. */
export function ZReportList({ onPrint }: ZReportListProps) {
  const { t } = useTranslation();
  const reports = useInfiniteQuery(zReportsQuery());
  const [chosen, setChosen] = useState<number>();
  const all = reports.data?.pages.flatMap(({ list }) => list) ?? [];
  const shown = all.find(({ zNumber }) => zNumber === chosen) ?? all[0];
  return (
    <div className={classes.columns} data-reports="true">
      <div className={classes.main}>
        <Awaited query={reports} />
        {reports.isSuccess && all.length === 0 ? (
          <p className={classes.soft}>{t("shift.z.none")}</p>
        ) : null}
        <ul className={classes.list} aria-label={t("shift.z.list")}>
          {all.map((report) => (
            <ReportRow
              key={report.zNumber}
              report={report}
              isChosen={report.zNumber === shown?.zNumber}
              onChoose={() => setChosen(report.zNumber)}
            />
          ))}
        </ul>
        {reports.hasNextPage ? (
          <Button variant="default" onClick={() => void reports.fetchNextPage()}>
            {t("shift.z.more")}
          </Button>
        ) : null}
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
        <span className={classes.amount}>{report.zNumber}</span>
        <span className={classes.grow}>
          {report.shift.staff.name}
          <small>{format.moment(report.closedAt)}</small>
          <small>{varianceWords(report.variance, t, money)}</small>
        </span>
      </button>
    </li>
  );
}
