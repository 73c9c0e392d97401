import { QueryClientProvider } from "@tanstack/react-query";
import { cleanup, render, screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { beforeEach, expect, it, vi } from "vitest";
import { newQueryClient } from "../../../../lib/testing/reset-page.ts";
import type { SoldThing } from "../interface/sold-thing.ts";
import { UsualTiles } from "./at-rest.tsx";
import type { Topup } from "./use-topup.ts";

const card: SoldThing = {
  id: "cemaco",
  productType: "VOUCHER",
  brand: "CEMACO",
  brandName: "Cemaco",
  brandColor: "#a01020",
  called: "Cemaco Guatemala gift card",
  country: "GT",
  offer: { offerId: "CEMACO_50", title: "Cemaco 50 GTQ", price: "Q 52.00" },
};
const plan: SoldThing = {
  ...card,
  id: "spain",
  productType: "ESIM",
  brandName: "Roamly",
  country: "ES",
};

/** The gateway's brand list: Cemaco's provider is slow. */
const slow = {
  brand: "CEMACO",
  brandName: "Cemaco",
  brandColor: "#a01020",
  pausedSince: "2026-01-15T09:30:00.000Z",
};

function show(usual: readonly SoldThing[] | undefined) {
  const choose = vi.fn<(choice: unknown) => void>();
  const topup = { usual, focused: undefined, homeCountry: "GT", choose, dispatch: () => undefined };
  render(
    <QueryClientProvider client={newQueryClient()}>
      <UsualTiles topup={topup as unknown as Topup} />
    </QueryClientProvider>,
  );
  return choose;
}

beforeEach(() => {
  vi.stubGlobal("fetch", () => Promise.resolve(Response.json({ list: [] })));
});

it("UsualTiles reserves space for tiles that are loading or missing", () => {
  show(undefined);
  expect(screen.getAllByRole("listitem")).toHaveLength(8);
  expect(screen.getByRole("list").getAttribute("aria-busy")).toBe("true");
  expect(screen.queryByRole("button")).toBeNull();
  cleanup();
  show([card, plan]);
  expect(screen.getAllByRole("listitem")).toHaveLength(8);
  expect(screen.getByRole("list").getAttribute("aria-busy")).toBe("false");
});

it("UsualTiles labels each tile with its digit and price, and an eSIM with its place; a touch picks a tile", async () => {
  const choose = show([card, plan]);
  const [first, second] = screen.getAllByRole("button");
  expect(first?.textContent).toMatch(/50 GTQ.*Cemaco.*Q 52\.00.*1/);
  expect(second?.textContent).toMatch(/Spain.*2/);
  expect([first?.tabIndex, second?.tabIndex]).toEqual([0, -1]);
  await userEvent.setup({ delay: null }).click(second as HTMLElement);
  expect(choose).toHaveBeenCalledWith({ id: "spain", thing: plan });
});

it("UsualTiles shows a bundle's data alone in large type, and its other parts below", () => {
  show([
    { ...plan, offer: { offerId: "ROAM", title: "Roamly 10 GB, 30 days", price: "Q 120.00" } },
  ]);
  expect(screen.getByText("10 GB").closest("strong")).not.toBeNull();
  expect(screen.getByText("30 days").closest("strong")).toBeNull();
});

it("UsualTiles marks the tile of a slow provider", async () => {
  const list = [slow].map((brand) => ({ ...brand, countries: [], subTypes: [], offers: 1 }));
  vi.stubGlobal("fetch", () => Promise.resolve(Response.json({ list })));
  show([card, { ...plan, brand: "ROAMLY" }]);
  expect(await screen.findByText(/Slow since/)).toBeDefined();
  const [first, second] = screen.getAllByRole("button");
  expect(first?.textContent).toMatch(/50 GTQ.*Slow since/);
  expect(second?.textContent).not.toContain("Slow");
});
