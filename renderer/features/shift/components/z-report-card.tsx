import { Button } from "@mantine/core";
import { IconAlertTriangle, IconCircleCheck, IconPrinter } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { ZReport } from "../../../../server/contract/pos/shifts.ts";
import { Notice } from "../../../components/notice.tsx";
import { useAnnounced } from "../../../lib/announcer.ts";
import { reportTroubleWords } from "../../../lib/print-error.ts";
import { useFormat } from "../../../lib/use-format.ts";
import { varianceWords } from "../../../lib/variance-words.ts";
import { reportSections } from "../shift-sections.ts";
import { useFigureFormat } from "../use-figure-format.ts";
import { FigureSections } from "./figure-sections.tsx";
import classes from "./z-report.module.css";

interface ZReportCardProps {
  readonly report: ZReport;
  readonly onPrint: (zNumber: number) => Promise<void>;
}

export function ZReportCard({ report, onPrint }: ZReportCardProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const { shift, figures } = report;
  const figureFormat = useFigureFormat(shift, figures);
  const print = useMutation({ mutationFn: () => onPrint(report.zNumber) });
  const variance = varianceWords(report.variance, t, figureFormat.money);
  useAnnounced(`${t("shift.z.title", { number: report.zNumber })}. ${variance}`);
  const VarianceIcon = report.variance === 0 ? IconCircleCheck : IconAlertTriangle;
  const names = { name: report.closedBy.name, seller: shift.staff.name };
  return (
    <article className="stack gap-4">
      <div className="flex wrap justify-between items-start gap-3">
        <div>
          <h2 className="size-heading leading-115">
            {t("shift.z.title", { number: report.zNumber })}
          </h2>
          <p className="soft">
            {t("shift.z.period", {
              from: format.moment(shift.openedAt),
              to: format.moment(report.closedAt),
            })}{" "}
            · {t(report.forced ? "shift.z.forced" : "shift.z.closedBy", names)}
          </p>
        </div>
        <Button
          variant="default"
          leftSection={<IconPrinter size="1.25rem" aria-hidden="true" />}
          loading={print.isPending}
          onClick={() => print.mutate()}
        >
          {t("shift.z.print")}
        </Button>
      </div>
      <p className={classes.variance} data-right={report.variance === 0}>
        <VarianceIcon className="flex-none" size="1.5rem" aria-hidden="true" />
        {variance}
      </p>
      <FigureSections sections={reportSections(report, figureFormat)} />
      {print.error ? (
        <Notice tone="bad" loud>
          {reportTroubleWords(print.error, t)}
        </Notice>
      ) : null}
    </article>
  );
}
