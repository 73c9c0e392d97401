import { MantineProvider } from "@mantine/core";
import { QueryClientProvider } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { beforeEach, expect, it, vi } from "vitest";
import type { ShiftInput } from "../../../../server/contract/pos/shifts.ts";
import { newQueryClient } from "../../../lib/testing/reset-page.ts";
import { UnsentSaleContext } from "../../../lib/unsent-sale-context.ts";
import { OpenShift } from "./open-shift.tsx";

/** Requests to open a shift. The simulated gateway does not answer them. */
const openShift = vi.fn<(input: ShiftInput) => void>();

beforeEach(() => {
  vi.stubGlobal("fetch", (url: string, { method, body }: RequestInit) => {
    if (method === "POST" && url.endsWith("/shifts")) openShift(JSON.parse(body as string));
    return new Promise(() => {});
  });
  show("GTQ", 100);
});

function show(currency: string, currencyDivisor: number, hasUnsent = () => false): void {
  render(
    <MantineProvider>
      <QueryClientProvider client={newQueryClient()}>
        <UnsentSaleContext value={hasUnsent}>
          <OpenShift currency={currency} currencyDivisor={currencyDivisor} />
        </UnsentSaleContext>
      </QueryClientProvider>
    </MantineProvider>,
  );
}

function typeFloat(text: string): HTMLElement {
  const field = screen.getByRole("textbox");
  fireEvent.change(field, { target: { value: text } });
  return field;
}

function enter(): void {
  const form = screen.getByRole("textbox").closest("form");
  fireEvent.submit(form as HTMLFormElement);
}

it("OpenShift does not open a shift with a customer's number, however often Enter is pressed", async () => {
  typeFloat("55512345");
  enter();
  enter();
  const asked = await screen.findByRole("alert");
  expect(asked.textContent).toContain("The shift is not open yet.");
  expect(openShift).not.toHaveBeenCalled();
});

it("OpenShift opens a shift with an unusually large float after a confirmation", async () => {
  typeFloat("55512345");
  enter();
  fireEvent.click(await screen.findByRole("button", { name: /^Yes, Q\s55,512,345\.00/ }));
  await vi.waitFor(() => expect(openShift).toHaveBeenCalledTimes(1));
  expect(openShift.mock.calls[0]?.[0]).toMatchObject({ float: 5_551_234_500 });
});

it("OpenShift opens a shift at once with an amount that fits in a drawer", async () => {
  typeFloat("9999999.99");
  enter();
  await vi.waitFor(() => expect(openShift).toHaveBeenCalledTimes(1));
  expect(screen.queryByRole("alert")).toBeNull();
});

it("OpenShift opens a shift at once with a usual large VND amount, but not with a customer's number", async () => {
  cleanup();
  show("VND", 1);
  typeFloat("0912345678");
  enter();
  await screen.findByRole("alert");
  expect(openShift).not.toHaveBeenCalled();
  typeFloat("25000000");
  enter();
  await vi.waitFor(() => expect(openShift).toHaveBeenCalledTimes(1));
});

it("OpenShift states that a paid sale is sent after the shift is open", () => {
  cleanup();
  show("GTQ", 100, () => true);
  expect(screen.getByText(/Open your shift: Tillgate then sends it once/)).toBeDefined();
});
