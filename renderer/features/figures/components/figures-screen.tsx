import { useTranslation } from "react-i18next";
import type { Environment } from "../../../../server/contract/common.ts";
import type { DayClock } from "../../../../server/contract/pos/shop-day.ts";
import { Notice } from "../../../components/notice.tsx";
import type { OfficeSearch, OfficeSectionProps } from "../../../lib/office-section.ts";
import { useFormat } from "../../../lib/use-format.ts";
import { useNow } from "../../../lib/use-now.ts";
import { daysWords, type MoneyUnit, zoneWords } from "../figure-format.ts";
import { FIGURE_VIEWS, type FigureChoice, readChoice } from "../figure-search.ts";
import { FigureRange } from "./figure-range.tsx";
import { FigureSums } from "./figure-sums.tsx";
import { FiguresPage } from "./figures-page.tsx";
import classes from "./figures-screen.module.css";
import { LineRows } from "./line-rows.tsx";
import { MoneyWalk } from "./money-walk.tsx";
import { MovementRows } from "./movement-rows.tsx";
import { OwedRows } from "./owed-rows.tsx";
import { PlaceLink, WaysContext } from "./place-link.tsx";

interface FiguresScreenProps extends Pick<OfficeSectionProps, "search" | "onSearch" | "onOpen"> {
  readonly environment: Environment;
  readonly day: DayClock;
  readonly isOwner: boolean;
  /** Whether the person has the screens of the till. */
  readonly hasTill: boolean;
  /** The shop's. */
  readonly unit: MoneyUnit;
}

const MINUTE_MS = 60_000;

/** The figures of any days, where their money is, and the rows behind them; all of it in the address. */
export function FiguresScreen(props: FiguresScreenProps) {
  const { environment, day, unit, isOwner, hasTill, search, onSearch, onOpen } = props;
  const { t } = useTranslation();
  const format = useFormat();
  const choice = readChoice(search, useNow(MINUTE_MS), day);
  const days =
    choice.days && choice.view !== "owed" ? daysWords(choice.days, t, format) : undefined;
  return (
    <WaysContext value={{ open: onOpen, hasTill }}>
      <FiguresPage
        section="figures"
        environment={environment}
        lead={days && t("office.figures.asOf", { time: days, zone: zoneWords(day, t) })}
      >
        <Views search={search} view={choice.view} />
        {choice.view === "owed" ? null : (
          <FigureRange
            choice={choice}
            search={search}
            onDays={(changed) => onSearch({ ...withoutDays(search), ...changed })}
            onGrouping={(by) => onSearch({ ...search, by: by.toLowerCase() })}
          />
        )}
        <View choice={choice} unit={unit} isOwner={isOwner} search={search} onSearch={onSearch} />
      </FiguresPage>
    </WaysContext>
  );
}

interface ViewsProps {
  readonly search: OfficeSearch;
  readonly view: FigureChoice["view"];
}

/** What is shown of the days; each is a place of its own. */
function Views({ search, view }: ViewsProps) {
  const { t } = useTranslation();
  return (
    <nav className={classes.views} aria-label={t("office.figures.view.label")}>
      {FIGURE_VIEWS.map((one) => (
        <PlaceLink
          key={one}
          place={{ section: "figures", search: { ...withoutPart(search), view: one } }}
          className={classes.view}
          isCurrent={one === view}
        >
          {t(`office.figures.view.${one}`)}
        </PlaceLink>
      ))}
    </nav>
  );
}

interface ViewProps extends Pick<FiguresScreenProps, "unit" | "isOwner" | "search" | "onSearch"> {
  readonly choice: FigureChoice;
}

function View({ choice, unit, isOwner, search, onSearch }: ViewProps) {
  const { t } = useTranslation();
  const { view, days, part, by } = choice;
  if (view === "owed") return <OwedRows unit={unit} />;
  if (!days) return <Notice tone="wait">{t("office.figures.range.invalid")}</Notice>;
  switch (view) {
    case "sums":
      return <FigureSums days={days} by={by} namesTills={isOwner} />;
    case "money":
      return <MoneyWalk days={days} />;
    case "taken":
      return <MovementRows days={days} unit={unit} />;
    case "sold":
      return (
        <LineRows days={days} part={part} unit={unit} onAll={() => onSearch(withoutPart(search))} />
      );
  }
}

function withoutDays({ days: _days, from: _from, to: _to, ...search }: OfficeSearch): OfficeSearch {
  return search;
}

function withoutPart({ of: _of, value: _value, ...search }: OfficeSearch): OfficeSearch {
  return search;
}
