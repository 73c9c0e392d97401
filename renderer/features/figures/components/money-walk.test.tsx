import { MantineProvider } from "@mantine/core";
import { QueryClientProvider } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { FigureMoney, Figures } from "../../../../server/contract/pos/figures.ts";
import {
  type DepositInput,
  type Safe,
  shiftOperations,
} from "../../../../server/contract/pos/shifts.ts";
import type { PosSession } from "../../../../server/contract/pos/staff.ts";
import { addOfficeWords } from "../../../lib/i18n.ts";
import { operationQuery } from "../../../lib/operation-query.ts";
import { sessionQuery } from "../../../lib/pos-queries.ts";
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

const SAFE: Safe = {
  ...UNIT,
  drops: 9_000,
  closings: 0,
  floats: 0,
  deposits: 0,
  balance: 9_000,
  list: [],
};

function show(money: FigureMoney, safe?: Safe, role?: "owner" | "supervisor"): void {
  const client = newQueryClient({ defaultOptions: { queries: { staleTime: Infinity } } });
  client.setQueryData(moneyQuery(DAYS).queryKey, money);
  if (safe) client.setQueryData(operationQuery(shiftOperations.viewSafe).queryKey, safe);
  if (role) client.setQueryData(sessionQuery().queryKey, { staff: { role } } as PosSession);
  render(
    <MantineProvider>
      <QueryClientProvider client={client}>
        <MoneyWalk days={DAYS} />
      </QueryClientProvider>
    </MantineProvider>,
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
    for (const balance of [-200, 0]) {
      show(moneyOf(), { ...SAFE, drops: 0, floats: 200, balance });
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

describe("the deposits of MoneyWalk", () => {
  let sent: DepositInput[] = [];
  let answer: () => Response;

  beforeEach(() => {
    sent = [];
    answer = () => Response.json(SAFE);
    vi.stubGlobal("fetch", async (address: string, { method, body }: RequestInit) => {
      if (method !== "POST") return Response.json(/safe/.test(address) ? SAFE : moneyOf());
      sent.push(JSON.parse(body as string) as DepositInput);
      return answer();
    });
  });

  const fieldOf = (label: RegExp) => screen.getByLabelText<HTMLInputElement>(label);

  async function record(amount: string, reference: string, button: string): Promise<void> {
    fireEvent.change(fieldOf(/^Amount/), { target: { value: amount } });
    fireEvent.change(fieldOf(/^Reference/), { target: { value: reference } });
    const times = sent.length;
    fireEvent.click(screen.getByRole("button", { name: button }));
    await vi.waitFor(() => expect(sent).toHaveLength(times + 1));
  }

  it("get their own ids, and the reference if there is one", async () => {
    show(moneyOf(), SAFE, "owner");
    await record("50", " Slip 9 ", "Record a deposit");
    await vi.waitFor(() => expect(fieldOf(/^Amount/).value).toBe(""));
    await record("20", "", "Record cash brought back");
    await vi.waitFor(() => expect(fieldOf(/^Amount/).value).toBe(""));
    const depositId: unknown = expect.any(String);
    expect(sent).toEqual([
      { depositId, kind: "DEPOSIT", amount: 5_000, reference: "Slip 9" },
      { depositId, kind: "WITHDRAWAL", amount: 2_000 },
    ]);
    expect(new Set(sent.map(({ depositId }) => depositId)).size).toBe(2);
  });

  it("keep their id after a lost answer, and the form states that the first request was recorded", async () => {
    show(moneyOf(), SAFE, "owner");
    answer = () => {
      throw new TypeError("connection lost");
    };
    await record("50", "", "Record a deposit");
    await screen.findByRole("alert");
    answer = () =>
      Response.json({ errorCode: "ID_TAKEN", message: "", fields: {} }, { status: 409 });
    await record("50", "Slip 9", "Record a deposit");
    expect(new Set(sent.map(({ depositId }) => depositId)).size).toBe(1);
    expect(await screen.findByText(/recorded as you entered it the first time/)).toBeDefined();
  });

  it("appear to other staff without a form, by reference or by the name of the owner", () => {
    const staff = { staffId: "olga", name: "Olga" };
    const deposit = {
      kind: "DEPOSIT",
      amount: 700,
      recordedAt: "2026-01-15T09:30:00.000Z",
      staff,
    } as const;
    const list = [
      { ...deposit, depositId: "1", reference: "Slip 9" },
      { ...deposit, depositId: "2", reference: "" },
    ];
    show(moneyOf(), { ...SAFE, list }, "supervisor");
    const items = screen.getByRole("list", { name: "Deposits, newest first" }).children;
    expect([...items].map(({ textContent }) => textContent.split(" · ").at(-1))).toEqual([
      "Slip 9",
      "Olga",
    ]);
    expect(screen.queryByRole("button", { name: "Record a deposit" })).toBeNull();
  });
});
