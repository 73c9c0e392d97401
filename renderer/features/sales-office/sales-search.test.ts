import { describe, expect, it } from "vitest";
import { filterOf, viewsFor } from "./sales-search.ts";

describe("sales section", () => {
  it("offers only the views that the person's permissions allow", () => {
    const none = {
      seeExpectedCash: false,
      seeFigures: false,
      changeCatalog: false,
      settleCases: false,
    };
    expect(viewsFor(none)).toEqual([]);
    expect(viewsFor({ ...none, seeExpectedCash: true })).toEqual(["find", "waiting"]);
    expect(viewsFor({ ...none, settleCases: true })).toEqual(["cases"]);
    expect(viewsFor({ ...none, changeCatalog: true })).toContain("brands");
    expect(viewsFor({ ...none, seeFigures: true })).toEqual(["reports", "owed"]);
  });

  it.each([
    [{}, { typed: undefined, status: undefined, firstDay: undefined, lastDay: undefined }],
    [
      { typed: " 5123 ", status: "FAILED", from: "2026-02-01", to: "2026-01-01" },
      { typed: "5123", status: "FAILED", firstDay: "2026-01-01", lastDay: "2026-02-01" },
    ],
    [
      { typed: " ", status: "LOST", from: "today" },
      { typed: undefined, status: undefined, firstDay: undefined, lastDay: undefined },
    ],
  ])("reads the address %o as the filter %o", (search, filter) => {
    expect(filterOf(search)).toEqual(filter);
  });
});
