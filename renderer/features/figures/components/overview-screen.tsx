import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { DayClock } from "../../../../server/contract/pos/shop-day.ts";
import type { OfficeSectionProps } from "../../../lib/office-section.ts";
import { useFormat } from "../../../lib/use-format.ts";
import { chartsQuery, firstPageQuery } from "../api/figure-queries.ts";
import { zoneWords } from "../figure-format.ts";
import { AwaitedFigures, FiguresPage } from "./figures-page.tsx";
import { OverviewCharts } from "./overview-charts.tsx";
import { OverviewFigures } from "./overview-figures.tsx";
import { WaysContext } from "./place-link.tsx";

interface OverviewScreenProps {
  readonly day: DayClock;
  /** Whether the person has the screens of the till. */
  readonly hasTill: boolean;
  readonly onOpen: OfficeSectionProps["onOpen"];
}

/** The owner's first page: can we sell, is the money there, did we earn, what needs me. */
export function OverviewScreen({ day, hasTill, onOpen }: OverviewScreenProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const page = useQuery(firstPageQuery());
  const charts = useQuery(chartsQuery());
  const madeAt = page.data?.madeAt;
  const time = madeAt ? `${format.dayLong(madeAt)}, ${format.time(madeAt)}` : undefined;
  return (
    <WaysContext value={{ open: onOpen, hasTill }}>
      <FiguresPage
        section="overview"
        environment={page.data?.environment}
        lead={time && t("office.figures.asOf", { time, zone: zoneWords(day, t) })}
      >
        <AwaitedFigures query={page}>{(data) => <OverviewFigures page={data} />}</AwaitedFigures>
        <AwaitedFigures query={charts}>{(data) => <OverviewCharts charts={data} />}</AwaitedFigures>
      </FiguresPage>
    </WaysContext>
  );
}
