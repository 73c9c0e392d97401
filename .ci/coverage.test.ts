import { describe, expect, it } from "vitest";
import { listFalls, sumModules, toModule, toTable } from "./coverage.ts";

const counted = (covered: number, total: number) => ({ covered, total });

describe("coverage per module", () => {
  it.each([
    ["server/modules/books/wallet/ledger-store.ts", "server/modules/books/wallet"],
    ["server/modules/module.ts", "server/modules"],
    ["server/db/sqlite/connection.ts", "server/db"],
    ["server/main.ts", "server"],
    ["renderer/features/counter/shell/pace.ts", "renderer/features/counter"],
    ["renderer/lib/money.ts", "renderer/lib"],
    ["renderer/app/office/office-page.tsx", "renderer/app"],
    ["electron/updates/updater.ts", "electron/updates"],
  ])("counts %s as %s", (file, module) => {
    expect(toModule(file)).toBe(module);
  });

  it("sums the counts of lines and branches, not their percentages", () => {
    const coverage = sumModules({
      "server/db/a.ts": { lines: counted(1, 1), branches: counted(0, 0) },
      "server/db/b.ts": { lines: counted(0, 3), branches: counted(1, 2) },
    });
    expect(coverage).toEqual({
      "server/db": { lines: counted(1, 4), branches: counted(1, 2) },
    });
    expect(toTable(coverage).split("\n")).toEqual([
      "module        lines  branches",
      "server/db    25.0 %    50.0 %",
    ]);
  });

  it("reports only modules whose lines or branches fall by a percentage point", () => {
    const full = { lines: counted(1_000, 1_000), branches: counted(1_000, 1_000) };
    const falls = listFalls(
      { a: full, b: full, gone: full },
      {
        a: { lines: counted(991, 1_000), branches: counted(990, 1_000) },
        b: { lines: counted(995, 1_000), branches: counted(1_000, 1_000) },
        added: { lines: counted(0, 9), branches: counted(0, 9) },
      },
    );
    expect(falls).toEqual(["a: branches fall from 100.0 % to 99.0 %"]);
  });
});
