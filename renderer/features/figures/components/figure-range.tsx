import { Select, TextInput } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { OfficeSearch } from "../../../lib/office-section.ts";
import { DAY_PRESETS } from "../figure-days.ts";
import { type FigureChoice, GROUPINGS, type Grouping, searchOfDays } from "../figure-search.ts";
import classes from "./figures-screen.module.css";

interface FigureRangeProps {
  readonly choice: FigureChoice;
  readonly search: OfficeSearch;
  /** What the address says of the days. */
  readonly onDays: (search: OfficeSearch) => void;
  readonly onGrouping: (by: Grouping) => void;
}

const PRESETS = [...DAY_PRESETS, "range"] as const;

/** Which days, and by what their sums are divided. */
export function FigureRange({ choice, search, onDays, onGrouping }: FigureRangeProps) {
  const { t } = useTranslation();
  const { preset, view, by } = choice;
  return (
    <div className={classes.range}>
      <DayPresets choice={choice} search={search} onDays={onDays} />
      {preset === "range" ? <DayFields choice={choice} search={search} onDays={onDays} /> : null}
      {view === "sums" ? (
        <Select
          label={t("office.figures.by.label")}
          data={GROUPINGS.map((value) => ({ value, label: t(`office.figures.by.${value}`) }))}
          value={by}
          onChange={(value) => onGrouping(GROUPINGS.find((one) => one === value) ?? "DAY")}
        />
      ) : null}
    </div>
  );
}

type DaysProps = Pick<FigureRangeProps, "choice" | "search" | "onDays">;

function DayPresets({ choice, onDays }: DaysProps) {
  const { t } = useTranslation();
  return (
    <Select
      label={t("office.figures.range.label")}
      data={PRESETS.map((value) => ({ value, label: t(`office.figures.preset.${value}`) }))}
      value={choice.preset}
      onChange={(value) =>
        // Other days begin with those that were shown.
        onDays(value === "range" && choice.days ? searchOfDays(choice.days) : { days: value ?? "" })
      }
    />
  );
}

/** Two days, as they are typed: what is none yet stays in its field. */
function DayFields({ search, onDays }: DaysProps) {
  const { t } = useTranslation();
  const { from = "", to = "" } = search;
  return (
    <>
      <TextInput
        type="date"
        label={t("office.figures.range.first")}
        value={from}
        onChange={({ currentTarget }) => onDays({ days: "range", from: currentTarget.value, to })}
      />
      <TextInput
        type="date"
        label={t("office.figures.range.last")}
        value={to}
        onChange={({ currentTarget }) => onDays({ days: "range", from, to: currentTarget.value })}
      />
    </>
  );
}
