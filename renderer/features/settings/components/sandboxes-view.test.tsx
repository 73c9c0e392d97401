import { MantineProvider } from "@mantine/core";
import { QueryClientProvider } from "@tanstack/react-query";
import { fireEvent, render, screen, waitFor } from "@testing-library/react";
import { beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { addOfficeWords } from "../../../lib/i18n.ts";
import { newQueryClient } from "../../../lib/testing/reset-page.ts";
import { officeWordsIn } from "../../../locales/office-words.ts";
import { SandboxesScreen } from "./sandboxes-view.tsx";

const DELIVERY = {
  deliveryId: "d",
  webhookId: "w",
  environment: "test",
  kind: "TOPUP",
  subject: "order-1",
  state: "DELIVERED",
  createdAt: "2026-01-15T09:30:00.000Z",
  attempts: [{ beganAt: "2026-01-15T09:30:00.000Z", duration_ms: 3, status: 204 }],
};

let balance: number;
let sent: unknown[];

beforeAll(() => addOfficeWords(officeWordsIn));
beforeEach(() => {
  balance = 97_000;
  sent = [];
  vi.stubGlobal(
    "ResizeObserver",
    class {
      observe() {}
      unobserve() {}
      disconnect() {}
    },
  );
  vi.stubGlobal("fetch", async (input: string | URL | Request, init: RequestInit = {}) => {
    const request = new Request(
      new URL(input instanceof Request ? input.url : input, "http://till"),
      init,
    );
    const { pathname } = new URL(request.url);
    if (pathname === "/pos/sandboxes") {
      const list = [
        { name: "ci", state: "CLOSED", speed: 1, now: "2026-01-15T09:30:00.000Z" },
        { name: "old", state: "BROKEN" },
      ];
      return Response.json({ list, scenarios: [] });
    }
    if (pathname === "/pos/sandboxes/ci/deliveries") {
      return Response.json({ list: [DELIVERY], total: 1, limit: 20, offset: 0 });
    }
    if (pathname !== "/pos/sandboxes/ci/wallet") throw new TypeError("connection refused");
    if (request.method === "PUT") {
      const body = await request.json();
      sent.push(body);
      balance = body.availableBalance;
    }
    return Response.json({ availableBalance: balance, currency: "USD", currencyDivisor: 100 });
  });
});

function open() {
  render(
    <QueryClientProvider client={newQueryClient()}>
      <MantineProvider>
        <SandboxesScreen />
      </MantineProvider>
    </QueryClientProvider>,
  );
}

describe("SandboxesScreen", () => {
  it("shows and sets a sandbox's wallet", async () => {
    open();
    fireEvent.click(await screen.findByRole("button", { name: "Wallet of ci" }));
    expect(await screen.findByText(/970\.00/)).toBeDefined();
    fireEvent.click(screen.getByRole("button", { name: "Set the amount" }));
    expect(sent).toEqual([]);
    fireEvent.change(screen.getByLabelText(/New available amount/), { target: { value: "12.5" } });
    fireEvent.click(screen.getByRole("button", { name: "Set the amount" }));
    await waitFor(() => expect(sent).toEqual([{ availableBalance: 1_250 }]));
    await waitFor(() => expect(screen.queryByLabelText(/New available amount/)).toBeNull());
    fireEvent.click(screen.getByRole("button", { name: "Wallet of ci" }));
    expect(await screen.findByText(/12\.50/)).toBeDefined();
  });

  it("shows a sandbox's webhook deliveries", async () => {
    open();
    fireEvent.click(await screen.findByRole("button", { name: "Webhook deliveries of ci" }));
    const list = await screen.findByRole("list", { name: "Webhook deliveries of ci" });
    await waitFor(() => expect(list.textContent).toMatch(/order-1.*Accepted.*Attempts: 1.*204/));
  });

  it("offers only the deletion of a broken sandbox", async () => {
    open();
    expect(await screen.findByRole("button", { name: "Delete old" })).toBeDefined();
    expect(screen.queryByRole("button", { name: "Wallet of old" })).toBeNull();
  });
});
