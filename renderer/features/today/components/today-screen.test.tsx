import { MantineProvider } from "@mantine/core";
import { QueryClientProvider } from "@tanstack/react-query";
import { render, screen } from "@testing-library/react";
import { beforeAll, expect, it, vi } from "vitest";
import { createQueryClient } from "../../../app/providers.tsx";
import { TodayScreen } from "./today-screen.tsx";

beforeAll(() => {
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("connection refused")));
});

it("TodayScreen shows an error and a retry button instead of placeholders if the gateway does not answer", async () => {
  render(
    <QueryClientProvider client={createQueryClient()}>
      <MantineProvider>
        <TodayScreen onPrint={() => Promise.resolve()} />
      </MantineProvider>
    </QueryClientProvider>,
  );
  expect((await screen.findByRole("alert")).textContent).toContain("reach the Tillgate server");
  expect(screen.getByRole("button", { name: "Try again" })).toBeDefined();
  expect(screen.queryByRole("status")).toBeNull();
});

it("TodayScreen counts the listed sales, also those without a delivery", async () => {
  const figures = {
    currency: "GTQ",
    currencyDivisor: 100,
    sold: 2635,
    sending: 0,
    refundDue: 2635,
    refunded: 0,
    discount: 0,
    unfinished: 0,
  };
  vi.stubGlobal("fetch", async (path: string) =>
    path.startsWith("/pos/sales")
      ? Response.json({ list: [], limit: 50, offset: 0, total: 2, figures })
      : Response.json({}),
  );
  render(
    <QueryClientProvider client={createQueryClient()}>
      <MantineProvider>
        <TodayScreen onPrint={() => Promise.resolve()} />
      </MantineProvider>
    </QueryClientProvider>,
  );
  const label = await screen.findByText("Sales", { selector: "dt" });
  await vi.waitFor(() => expect(label.nextElementSibling?.textContent).toBe("2"));
});
