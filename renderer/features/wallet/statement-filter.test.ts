import { describe, expect, it } from "vitest";
import { fileOf, filterOf } from "./statement-filter.ts";

describe("filterOf", () => {
  it.each([
    [{}, { kind: undefined, firstDay: undefined, lastDay: undefined }],
    [{ kind: "REFUND" }, { kind: "REFUND", firstDay: undefined, lastDay: undefined }],
    [
      { kind: "GIFT", from: "soon" },
      { kind: undefined, firstDay: undefined, lastDay: undefined },
    ],
    [{ from: "2026-01-02" }, { kind: undefined, firstDay: "2026-01-02", lastDay: "2026-01-02" }],
    [
      { from: "2026-02-03", to: "2026-01-02" },
      { kind: undefined, firstDay: "2026-01-02", lastDay: "2026-02-03" },
    ],
  ])("reads %o as %o", (search, filter) => {
    expect(filterOf(search)).toEqual(filter);
  });
});

describe("file of the statement", () => {
  it("covers the filtered days, or otherwise the last thirty days", () => {
    expect(fileOf({}, "2026-03-01")).toEqual({
      address: "/pos/wallet/statement.csv?firstDay=2026-01-31&lastDay=2026-03-01",
      firstDay: "2026-01-31",
      lastDay: "2026-03-01",
    });
    const filter = { kind: "HOLD", firstDay: "2026-02-01", lastDay: "2026-02-02" } as const;
    expect(fileOf(filter, "2026-03-01").address).toBe(
      "/pos/wallet/statement.csv?kind=HOLD&firstDay=2026-02-01&lastDay=2026-02-02",
    );
  });
});
