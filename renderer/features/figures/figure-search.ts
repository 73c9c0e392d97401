import { FIGURE_DIMENSIONS, type FigureDimension } from "../../../server/contract/pos/figures.ts";
import type { DayClock } from "../../../server/contract/pos/shop-day.ts";
import type { OfficeSearch } from "../../lib/office-section.ts";
import {
  DAY_PRESETS,
  type DayPreset,
  daysOfPreset,
  readDays,
  type ShopDays,
} from "./figure-days.ts";

/** Sums, payments, cash and wallet, profit, refunds due, and sold items. */
export const FIGURE_VIEWS = ["sums", "taken", "money", "profit", "owed", "sold"] as const;
export type FigureView = (typeof FIGURE_VIEWS)[number];

export const GROUPINGS = ["DAY", "WEEK", "MONTH", "HOUR", ...FIGURE_DIMENSIONS] as const;
export type Grouping = (typeof GROUPINGS)[number];

/** @returns undefined for a grouping by time */
export function dimensionOf(by: Grouping): FigureDimension | undefined {
  return FIGURE_DIMENSIONS.find((one) => one === by);
}

export interface FigurePart {
  readonly by: FigureDimension;
  readonly value: string;
}

export interface FigureChoice {
  readonly view: FigureView;
  readonly preset: DayPreset | "range";
  /** Undefined if the entered days are invalid. */
  readonly days: ShopDays | undefined;
  readonly by: Grouping;
  readonly part: FigurePart | undefined;
}

const USUAL_PRESET: DayPreset = "last-30";

/** Reads the address, which people may have edited: missing and unknown values get defaults. */
export function readChoice(search: OfficeSearch, now: number, day: DayClock): FigureChoice {
  const { days, from = "", to = "", view, by, of, value } = search;
  const preset = DAY_PRESETS.find((one) => one === days);
  const isRange = days === "range";
  const dimension = FIGURE_DIMENSIONS.find((one) => one.toLowerCase() === of);
  return {
    view: FIGURE_VIEWS.find((one) => one === view) ?? "sums",
    preset: isRange ? "range" : (preset ?? USUAL_PRESET),
    days: isRange ? readDays(from, to) : daysOfPreset(preset ?? USUAL_PRESET, now, day),
    by: GROUPINGS.find((one) => one.toLowerCase() === by) ?? "DAY",
    part: dimension && value ? { by: dimension, value } : undefined,
  };
}

export function searchOfDays({ firstDay, lastDay }: ShopDays): OfficeSearch {
  return { days: "range", from: firstDay, to: lastDay };
}

export function searchOfPart({ by, value }: FigurePart): OfficeSearch {
  return { of: by.toLowerCase(), value };
}
