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
const NORTH = { providerId: "first", name: "North", state: "WORKING", balance: 100_000 };
const SOUTH = { ...NORTH, providerId: "p2", name: "South", state: "PAUSED", balance: 2_500 };

let upstream: object;
let providers: object[];
/** Requests that query a provider. */
let queried: string[];

beforeAll(() => addOfficeWords(officeWordsIn));

beforeEach(() => {
  providers = [{ ...NORTH, balanceAt: BALANCE.comparedAt }];
  queried = [];
  vi.stubGlobal("fetch", async (path: string, { method }: RequestInit) => {
    if (method === "POST") {
      queried.push(path);
      upstream = { connected: true, balance: { ...BALANCE, difference: 0 } };
    }
    return Response.json(path === "/pos/providers" ? { list: providers } : upstream);
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
  expect(queried).toEqual(["/pos/upstream/test?providerId=first"]);
});

it("the wallet is compared with the sum of the balances at all connected providers", async () => {
  const gone = { ...SOUTH, providerId: "p3", name: "West", state: "DISCONNECTED" };
  providers = [...providers, SOUTH, gone];
  show({ connected: true, balance: { ...BALANCE, others: 2_500, difference: 12_500 } });
  expect(await screen.findByText("North")).toBeDefined();
  expect(screen.queryByText("West")).toBeNull();
  for (const amount of ["$1,000.00", "$25.00", "$900.00", "$125.00"]) {
    expect(screen.getByText(amount)).toBeDefined();
  }
  fireEvent.click(screen.getByRole("button", { name: "Compare now" }));
  expect(await screen.findByText(/^Matches the provider/)).toBeDefined();
  const queries = ["first", "p2"].map((id) => `/pos/upstream/test?providerId=${id}`);
  expect(queried).toEqual(queries);
});

it("no balance is compared without a provider", async () => {
  providers = [];
  show({ connected: false });
  expect(await screen.findByText("No provider is connected.")).toBeDefined();
  expect(screen.queryByRole("button")).toBeNull();
});
