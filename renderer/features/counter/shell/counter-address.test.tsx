import { screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { expect, it } from "vitest";
import type { Family } from "../../../../server/contract/pos/families.ts";
import { show, standInForGateway } from "../testing/counter-till.tsx";

standInForGateway();

const text = () => screen.getByRole<HTMLInputElement>("textbox").value;

it("a late change of the address does not reopen a family that the clerk has left", async () => {
  const asks: [Family, number][] = [];
  const user = userEvent.setup({ delay: null });
  const { goTo } = show("ana", false, (...ask) => asks.push(ask));
  await screen.findByRole("button", { name: /\+502 5123 4567/ });
  await user.keyboard("{F4}{F2}w");
  expect(asks.map(([family]) => family)).toEqual(["BILL_PAY", "VOUCHER"]);
  for (const [ask, keys] of [
    [asks[0], "al"],
    [asks[1], "m"],
  ] as const) {
    goTo(...(ask ?? (["TOPUP", 0] as const)));
    await user.keyboard(keys);
  }
  expect(screen.getByRole("main", { name: "Gift card" })).toBeDefined();
  expect(text()).toBe("walm");
  expect(asks).toHaveLength(2);
  goTo(...(asks[0] ?? (["TOPUP", 0] as const)));
  await screen.findByRole("main", { name: "Pay a bill" });
  goTo("TOPUP");
  await screen.findByRole("main", { name: "Top-up" });
});

it("a search in the address is typed only once, even if it stays in the address", async () => {
  const user = userEvent.setup({ delay: null });
  const { goTo } = show();
  await screen.findByRole("button", { name: /\+502 5123 4567/ });
  goTo("TOPUP", undefined, { number: "5025" });
  await user.keyboard("1234");
  goTo("TOPUP", undefined, { number: "5025" });
  expect(text().replaceAll(/\D/g, "")).toBe("50251234");
  goTo("TOPUP");
  goTo("TOPUP", undefined, { number: "5025" });
  expect(text().replaceAll(/\D/g, "")).toBe("5025");
});
