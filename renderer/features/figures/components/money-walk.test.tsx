import { QueryClientProvider } from "@tanstack/react-query";
import { cleanup, render, screen } from "@testing-library/react";
import { beforeAll, describe, expect, it } from "vitest";
import type { FigureMoney, Figures } from "../../../../server/contract/pos/figures.ts";
import { type Safe, shiftOperations } from "../../../../server/contract/pos/shifts.ts";
import { addOfficeWords } from "../../../lib/i18n.ts";
import { operationQuery } from "../../../lib/operation-query.ts";
import { newQueryClient } from "../../../lib/testing/reset-page.ts";
import { officeWordsIn } from "../../../locales/office-words.ts";
import { moneyQuery } from "../api/figure-queries.ts";
import { MoneyWalk } from "./money-walk.tsx";

const DAYS = { firstDay: "2026-01-01", lastDay: "2026-01-31" };
const UNIT = { currency: "GTQ", currencyDivisor: 100 };
const LINES = {
  lines: 3,
  linesFailed: 1,
  discount: 0,
  refundsDue: 0,
  sold: 10_000,
  tax: 0,
  cost: 9_000,
};
const FIGURES: Figures = {
  ...LINES,
  earned: 1_000,
  sales: 3,
  refunded: 500,
  cashRounding: 2,
  taken: 9_902,
  owed: 100,
};

function moneyOf(of: Partial<FigureMoney> = {}): FigureMoney {
  const tieOut = { costSold: 9_000, failedEarlier: 0, notSpent: 0, soldEarlier: 0, integrators: 0 };
  return {
    environment: "test",
    timeZone: "UTC",
    dayStartsAt: 0,
    ...UNIT,
    madeAt: "2026-02-01T00:00:00.000Z",
    period: { ...DAYS, from: "", until: "", isUnfinished: false },
    figures: FIGURES,
    taken: { cash: 8_402, card: 2_000, other: 0 },
    refunded: { cash: 500, card: 0, other: 0 },
    byTender: [],
    drawers: {
      payIns: 300,
      payOuts: 200,
      drops: 1_000,
      differences: 0,
      deposits: 1_000,
      safe: 0,
      cash: 7_002,
    },
    tieOut: { ...UNIT, ...tieOut, refunded: 0, walletSpent: 9_000, difference: 0 },
    ...of,
  };
}

function stepOf(name: string): string | null | undefined {
  return screen.getByText(name).nextElementSibling?.textContent;
}

function show(money: FigureMoney, safe?: Safe): void {
  const client = newQueryClient({ defaultOptions: { queries: { staleTime: Infinity } } });
  client.setQueryData(moneyQuery(DAYS).queryKey, money);
  if (safe) client.setQueryData(operationQuery(shiftOperations.viewSafe).queryKey, safe);
  render(
    <QueryClientProvider client={client}>
      <MoneyWalk days={DAYS} />
    </QueryClientProvider>,
  );
}

beforeAll(() => addOfficeWords(officeWordsIn));

describe("MoneyWalk", () => {
  it("subtracts open debts and refunds from the sales until the cash in drawers and safe remains", () => {
    show(moneyOf());
    expect(stepOf("Owed: sold and not paid")).toMatch(/−.*1\.00/);
    expect(stepOf("Payments less refunds")).toMatch(/99\.02/);
    expect(stepOf("Refunds: Cash")).toMatch(/−.*5\.00/);
    expect(stepOf("Cash payments less cash refunds")).toMatch(/79\.02/);
    expect(stepOf("Taken to the bank")).toMatch(/−.*10\.00/);
    expect(stepOf("Remaining in drawers and safe")).toMatch(/70\.02/);
    expect(
      screen.getByText(/Sold .*100\.00 .*0\.02 = payments .*99\.02 \+ owed .*1\.00/),
    ).toBeDefined();
  });

  it("asks for the shop's starting cash if the safe is below zero", () => {
    const safe = { ...UNIT, drops: 0, closings: 0, floats: 200, deposits: 0, list: [] };
    for (const balance of [-200, 0]) {
      show(moneyOf(), { ...safe, balance });
      const hint = screen.queryByText(/starting cash with “Record cash brought back”/);
      expect(hint === null).toBe(balance === 0);
      cleanup();
    }
  });

  it("shows the amount by which the records disagree", () => {
    const { tieOut } = moneyOf();
    show(moneyOf({ tieOut: { ...tieOut, walletSpent: 9_070, difference: 70 } }));
    expect(stepOf("Unexplained")).toMatch(/0\.70/);
    expect(screen.getByText(/The wallet spent .*0\.70 without an explanation/)).toBeDefined();
  });

  it("shows the exchange result if a recharge states its price", () => {
    show(moneyOf());
    expect(screen.queryByText(/FX result/)).toBeNull();
    cleanup();
    show(moneyOf({ fxResult: -150 }));
    expect(stepOf("Exchange-rate result, not in profit")).toMatch(/−.*1\.50/);
  });
});
