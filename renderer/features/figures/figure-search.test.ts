import { expect, it } from "vitest";
import { calendarOf } from "../../../server/contract/pos/shop-day.ts";
import { readChoice, searchOfDays, searchOfPart } from "./figure-search.ts";

const NOW = Date.parse("2026-03-10T12:00:00Z");
const read = (search: Record<string, string>) =>
  readChoice(search, NOW, calendarOf("America/Guatemala"));

it("an address without parameters shows the last thirty days, grouped by day", () => {
  expect(read({})).toEqual({
    view: "sums",
    preset: "last-30",
    days: { firstDay: "2026-02-09", lastDay: "2026-03-10" },
    by: "DAY",
    part: undefined,
  });
});

it("a figures URL gets defaults for invalid parameters, and no days for an invalid date range", () => {
  expect(read({ view: "x", days: "never", by: "colour", of: "brand" })).toEqual(read({}));
  expect(read({ days: "range", from: "2026-02-30", to: "2026-03-01" }).days).toBeUndefined();
});

it("the address of a figure's rows leads back to the same choice", () => {
  const days = { firstDay: "2026-03-01", lastDay: "2026-03-07" };
  const part = { by: "BRAND", value: "TIGO" } as const;
  const search = { view: "sold", ...searchOfDays(days), ...searchOfPart(part) };
  expect(read(search)).toEqual({ view: "sold", preset: "range", days, by: "DAY", part });
});
