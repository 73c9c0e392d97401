import { MantineProvider } from "@mantine/core";
import { QueryClientProvider } from "@tanstack/react-query";
import { fireEvent, render, screen } from "@testing-library/react";
import { beforeEach, expect, it, vi } from "vitest";
import type { PosSession } from "../../../../server/contract/pos/staff.ts";
import { newQueryClient } from "../../../lib/testing/reset-page.ts";
import { SetupScreen } from "./setup-screen.tsx";

const SESSION = { staff: { staffId: "olga", name: "Olga", role: "owner" } };
const WORDS =
  "abandon ability able about above absent absorb abstract absurd abuse access accident";
const CURRENCIES = {
  walletCurrency: "USD",
  asOf: "2026-01-15",
  list: [
    { currency: "GTQ", currencyDivisor: 100, rate: "7.66" },
    { currency: "USD", currencyDivisor: 100, rate: "1" },
  ],
};

const onDone = vi.fn<(session: PosSession) => void>();
const sent = vi.fn<(path: string, body: object) => void>();

function answer(path: string): object {
  switch (path) {
    case "/pos/setup/currencies":
      return CURRENCIES;
    case "/pos/setup":
      return SESSION;
    case "/pos/backups/kit":
      return { kitId: "kit-1", phrase: WORDS, madeAt: "2026-01-15T09:30:00.000Z" };
    default:
      return {};
  }
}

beforeEach(() => {
  onDone.mockReset();
  sent.mockReset();
  vi.stubGlobal("fetch", async (path: string, { body }: RequestInit) => {
    if (typeof body === "string") sent(path, JSON.parse(body));
    return Response.json(answer(path));
  });
  vi.stubGlobal(
    "ResizeObserver",
    class {
      observe() {}
      unobserve() {}
      disconnect() {}
    },
  );
  const read = Intl.DateTimeFormat.prototype.resolvedOptions;
  vi.spyOn(Intl.DateTimeFormat.prototype, "resolvedOptions").mockImplementation(function (
    this: Intl.DateTimeFormat,
  ) {
    return { ...read.call(this), timeZone: "America/Guatemala" };
  });
  render(
    <MantineProvider>
      <QueryClientProvider client={newQueryClient()}>
        <SetupScreen onDone={onDone} />
      </QueryClientProvider>
    </MantineProvider>,
  );
});

async function press(name: string): Promise<void> {
  fireEvent.click(await screen.findByRole("button", { name }));
}

function type(label: string, value: string): void {
  fireEvent.change(screen.getByLabelText(label), { target: { value } });
}

it("the set-up creates the shop with the proposed terms, and confirms its first recovery sheet", async () => {
  await press("Continue");
  expect(await screen.findByText("Enter a shop name")).toBeDefined();
  type("Shop name", " Tienda Ana ");
  type("Exchange rate", "77");
  expect(screen.getByText(/^This is far from the usual/)).toBeDefined();
  type("Exchange rate", "7,75");
  await press("Continue");
  await screen.findByText("Your name and PIN");
  type("PIN", "274913");
  type("PIN again", "274914");
  await press("Continue");
  expect(await screen.findByText("The two PINs do not match")).toBeDefined();
  expect(sent).not.toHaveBeenCalled();
  type("PIN again", "274913");
  await press("Continue");
  await press("Make the recovery sheet");
  expect(await screen.findByText("accident")).toBeDefined();
  expect(sent).toHaveBeenCalledWith("/pos/setup", {
    shopName: "Tienda Ana",
    currency: "GTQ",
    timeZone: "America/Guatemala",
    rate: "7.75",
    language: "en",
    ownerName: "Owner",
    ownerPin: "274913",
  });
  expect(onDone).not.toHaveBeenCalled();
  await press("I have stored the sheet");
  await vi.waitFor(() => expect(onDone).toHaveBeenCalledExactlyOnceWith(SESSION));
  expect(sent).toHaveBeenLastCalledWith("/pos/backups/kit/confirm", { kitId: "kit-1" });
});
