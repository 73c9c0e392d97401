import { MantineProvider } from "@mantine/core";
import { QueryClientProvider } from "@tanstack/react-query";
import { fireEvent, render, screen } from "@testing-library/react";
import { beforeAll, beforeEach, expect, it, vi } from "vitest";
import { addOfficeWords } from "../../../lib/i18n.ts";
import { newQueryClient } from "../../../lib/testing/reset-page.ts";
import { officeWordsIn } from "../../../locales/office-words.ts";
import { UpstreamCard } from "./wallet-screen.tsx";

const BALANCE = {
  comparedAt: "2026-01-15T09:30:00.000Z",
  upstream: 100_000,
  available: 70_000,
  held: 20_000,
  difference: 10_000,
  currency: "USD",
  currencyDivisor: 100,
};
let upstream: object;

beforeAll(() => addOfficeWords(officeWordsIn));

beforeEach(() => {
  vi.stubGlobal("fetch", async (_path: string, { method }: RequestInit) => {
    if (method === "POST") upstream = { connected: true, balance: { ...BALANCE, difference: 0 } };
    return Response.json(upstream);
  });
});

function show(state: object): void {
  upstream = state;
  render(
    <MantineProvider>
      <QueryClientProvider client={newQueryClient()}>
        <UpstreamCard />
      </QueryClientProvider>
    </MantineProvider>,
  );
}

it("the provider's balance is compared with the available and the held money", async () => {
  show({ connected: true, balance: BALANCE });
  expect(await screen.findByText(/^Doesn’t match the provider/)).toBeDefined();
  for (const amount of ["$1,000.00", "$900.00", "$100.00"]) {
    expect(screen.getByText(amount)).toBeDefined();
  }
  fireEvent.click(screen.getByRole("button", { name: "Compare now" }));
  expect(await screen.findByText(/^Matches the provider/)).toBeDefined();
});

it("the balances at other providers are part of the comparison", async () => {
  show({ connected: true, balance: { ...BALANCE, others: 2_500, difference: 12_500 } });
  expect(await screen.findByText("At the other providers")).toBeDefined();
  expect(screen.getByText("$25.00")).toBeDefined();
  expect(screen.getByText("$125.00")).toBeDefined();
});

it("no balance is compared without a provider", async () => {
  show({ connected: false });
  expect(await screen.findByText("No provider is connected.")).toBeDefined();
  expect(screen.queryByRole("button")).toBeNull();
});
