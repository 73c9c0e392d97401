import type { ZReport } from "../../../contract/pos/shifts.ts";
import type { Part } from "../../../lib/pdf/layout.ts";
import type { DayFormat } from "./day-format.ts";
import type { DaySource } from "./day-source.ts";

/** The shifts that ended on the day with what was in their drawers, and who has not closed. */
export function shiftTable({ ended, stillOpen }: DaySource, format: DayFormat): Part {
  const { heading, part, shift: words } = format.words;
  const open = stillOpen.map(({ name, openedAt }) =>
    format.fill(words.stillOpen, { name, time: format.dayTime(openedAt) }),
  );
  if (ended.length === 0) {
    return { kind: "NOTES", heading: heading.shifts, notes: [words.noShifts, ...open] };
  }
  return {
    kind: "TABLE",
    heading: heading.shifts,
    columns: [
      { head: words.z, share: 0.06 },
      { head: part.CLERK, share: 0.22 },
      { head: words.opened, share: 0.15 },
      { head: words.closed, share: 0.15 },
      { head: words.expected, share: 0.14, isNumber: true },
      { head: words.counted, share: 0.14, isNumber: true },
      { head: words.difference, share: 0.14, isNumber: true },
    ],
    rows: ended.map((report) => ({ cells: cellsOf(report, format) })),
    notes: open,
  };
}

function cellsOf(report: ZReport, format: DayFormat): string[] {
  const { shift, forced, closedBy, counted, variance } = report;
  const words = format.words.shift;
  const amount = (minor: number) => format.money(minor, shift);
  const name = format.isolate(shift.staff.name);
  return [
    format.number(report.zNumber),
    forced ? `${name} (${format.fill(words.forced, { name: closedBy.name })})` : name,
    format.dayTime(shift.openedAt),
    format.dayTime(report.closedAt),
    amount(report.expectedCash),
    counted === undefined ? words.notCounted : amount(counted),
    variance === undefined ? "–" : amount(variance),
  ];
}
