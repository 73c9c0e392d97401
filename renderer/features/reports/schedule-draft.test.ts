import { expect, it } from "vitest";
import { EMPTY_SCHEDULE, readRecipients, withPossibleTime } from "./components/schedules-view.tsx";
import { viewOf, viewsFor } from "./report-views.ts";

it.each([
  ["", []],
  [" olga@example.com ", ["olga@example.com"]],
  ["a@b.c, d@e.f;a@b.c\ng@h.i", ["a@b.c", "d@e.f", "g@h.i"]],
])("the recipients of %j are %j", (text, addresses) => {
  expect(readRecipients(text)).toEqual(addresses);
});

it("only owners have scheduled reports, and an unknown address opens the figures", () => {
  expect(viewsFor("supervisor")).toEqual(["files"]);
  expect(viewsFor("accountant")).toEqual(["files", "books", "trail"]);
  expect(viewOf({ view: "schedules" }, viewsFor("owner"))).toBe("schedules");
  expect(viewOf({ view: "schedules" }, viewsFor("supervisor"))).toBeUndefined();
  expect(viewOf({}, viewsFor("owner"))).toBeUndefined();
});

it("a report about one day never has a weekly schedule", () => {
  const weekly = { ...EMPTY_SCHEDULE, when: "WEEKLY" as const };
  expect(withPossibleTime(weekly)).toBe(weekly);
  expect(withPossibleTime({ ...weekly, kind: "DAY", format: "PDF" }).when).toBe("DAILY");
});
