import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { UsualChoices } from "../../../contract/pos/search-index.ts";
import { DAY, HOUR } from "../../../lib/clock.ts";
import { explainPlan } from "../../../testing/explained-plan.ts";
import { onlySqlite, READS_PLANS } from "../../../testing/only-sqlite.ts";
import { startTestGateway, type TestGateway } from "../../../testing/test-gateway.ts";
import { openTill, type TestTill } from "../../../testing/test-till.ts";
import { rankUsual } from "./index.ts";

const NOW = Date.UTC(2026, 0, 15, 9, 30);

function line(offerId: string, soldAt: number) {
  return { productType: "TOPUP" as const, brand: "TIGO", country: "GT", offerId, soldAt };
}

it("the ranking prefers offers sold at this time of day to offers sold equally often", () => {
  const morning = [1, 2, 3].map((days) => line("MORNING", NOW - days * DAY));
  const evening = [1, 2, 3].map((days) => line("EVENING", NOW - days * DAY + 9 * HOUR));
  expect(rankUsual([...evening, ...morning], NOW).map(({ offerId }) => offerId)).toEqual([
    "MORNING",
    "EVENING",
  ]);
});

it("the ranking prefers recent sales to equally many sales of a month ago", () => {
  const old = [30, 31, 32].map((days) => line("OLD", NOW - days * DAY));
  const lately = [1, 2, 3].map((days) => line("LATELY", NOW - days * DAY));
  const [first, second] = rankUsual([...old, ...lately], NOW);
  expect([first?.offerId, first?.share]).toEqual(["LATELY", 1]);
  expect(second?.share).toBeLessThan(0.1);
});

it("the ranking lists shares in descending order, between 0 and 1, for any sales", () => {
  const sold = fc.array(
    fc
      .record({ offer: fc.nat(60), ago: fc.nat(400 * DAY) })
      .map(({ offer, ago }) => line(`O${offer}`, NOW - ago)),
  );
  fc.assert(
    fc.property(sold, (lines) => {
      const ranked = rankUsual(lines, NOW);
      const shares = ranked.map(({ share }) => share);
      expect(shares).toEqual(shares.toSorted((a, b) => b - a));
      expect(ranked.length).toBeLessThanOrEqual(40);
      for (const share of shares) expect(share >= 0 && share <= 1).toBe(true);
      const backwards = rankUsual(lines.toReversed(), NOW).map(({ share }) => share);
      expect(backwards.length).toBe(shares.length);
    }),
  );
});

const statements: string[] = [];
let till: TestGateway;
let owner: TestTill;
beforeAll(async () => {
  till = await startTestGateway({ onStatement: (statement) => statements.push(statement) });
  owner = await openTill(till, { currency: "GTQ", rate: "7.75" });
});
afterAll(() => till.close());

it("the list of usual choices contains offers that the tills have sold", async () => {
  const usual = async (): Promise<UsualChoices> => (await owner.pos("GET", "/usual-choices")).body;
  expect(await usual()).toEqual({ list: [] });
  const recipientPhoneNumber = "+50251234567";
  await owner.sell([{ offerId: "TIGO_GT_TOPUP_25", recipientPhoneNumber }]);
  expect(await usual()).toEqual({
    list: [
      {
        productType: "TOPUP",
        brand: "TIGO",
        country: "GT",
        offerId: "TIGO_GT_TOPUP_25",
        share: 1,
      },
    ],
  });
});

it(
  "the list of usual choices reads only the newest lines, through their index",
  onlySqlite(READS_PLANS),
  async () => {
    statements.length = 0;
    await owner.pos("GET", "/usual-choices");
    const read = statements.find((text) => text.includes("sale_lines")) ?? "";
    const plan = await explainPlan(till.gateway.context.db, read);
    expect(plan.filter((line) => /SCAN|TEMP B-TREE/.test(line))).toEqual(["SCAN l"]);
    expect(plan.find((line) => line.includes("sale_lines"))).toContain("sale_lines_newest");
    expect(read).toMatch(/limit \+1000(\.0)?\) as .l./);
  },
);
