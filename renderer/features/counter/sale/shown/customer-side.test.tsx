import { QueryClientProvider } from "@tanstack/react-query";
import { renderHook } from "@testing-library/react";
import type { ReactNode } from "react";
import { beforeEach, expect, it, vi } from "vitest";
import { aLine, aReceipt, notDelivered } from "../../../../../e2e/support/receipts.ts";
import type { SaleLine } from "../../../../../server/contract/pos/sale-lines.ts";
import { saleQuery } from "../../../../lib/pos-queries.ts";
import { newQueryClient } from "../../../../lib/testing/reset-page.ts";
import { rememberSale } from "../attempt/last-sale.ts";
import type { CurrentSale } from "../basket/use-sale.ts";
import { useCustomerSide } from "./customer-side.ts";

const NOW = Date.UTC(2026, 0, 15, 9, 30);

beforeEach(() => {
  vi.useFakeTimers({ now: NOW });
});
/** The customer's side of a sale that was paid a while ago, at this till or another. */
function sideOf(lines: SaleLine[], begun = false, paidHere = true) {
  const { sale } = aReceipt(lines);
  const queryClient = newQueryClient({ defaultOptions: { queries: { staleTime: Infinity } } });
  queryClient.setQueryData(saleQuery(sale.saleId).queryKey, sale);
  const place = { staffId: "ana", environment: "test" as const, training: false };
  if (paidHere) {
    rememberSale({ ...place, saleId: sale.saleId, paidAt: NOW });
  }
  const current = { lines: [], shownSales: [sale.saleId], outbox: { entries: [] } };
  const { result } = renderHook(() => useCustomerSide(current as unknown as CurrentSale, begun), {
    wrapper: ({ children }: { readonly children: ReactNode }) => (
      <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
    ),
  });
  return result.current;
}

it("is over half a minute after the money was taken", () => {
  expect(sideOf([aLine()])).toMatchObject({ phase: "PAID", idleAt: NOW + 30_000 });
});

it("is over when the next sale is begun, and of a sale that was not paid here just now", () => {
  expect(sideOf([aLine()], true).phase).toBe("IDLE");
  localStorage.clear();
  expect(sideOf([aLine()], false, false).phase).toBe("IDLE");
});

it("shows all of a number until it is delivered, and then only its end", () => {
  const masked = (recipientFormatted: string) =>
    sideOf([aLine({ recipientFormatted })]).lines[0]?.recipient;
  expect(masked("+502 5123 4567")).toBe("+••• •••• 4567");
  expect(masked("4711-22")).toBe("•••1-22");
  expect(masked("12345678")).toBe("••••5678");
  expect(masked("ana@example.com")).toMatch(/^•+@•+e\.com$/);
  expect(masked("123")).toBe("••3");
  expect(masked("")).toBe("");
  expect(sideOf([notDelivered]).lines[0]?.recipient).toBe("+1 809 555 0134");
});

it("names the amount that was chosen, and what a bill is for, never the limits of an offer", () => {
  const anyAmount = aLine({
    productType: "BILL_PAY",
    title: "15.01 to 2251.50 GTQ",
    service: "Electricity",
    value: { type: "ZEND", value: 20_000 },
    send: 20_000,
  });
  const [line] = sideOf([anyAmount]).lines;
  expect(line).toMatchObject({ title: "", service: "Electricity", send: 20_000 });
});

it("says of a bundle what it holds, and no amount that the phone would receive", () => {
  const [bundle] = sideOf([aLine({ title: "2 GB, 50 min, 7 days", send: 4000 })]).lines;
  expect(bundle).toMatchObject({ title: "2 GB, 50 min, 7 days" });
  expect(bundle).not.toHaveProperty("send");
  expect(sideOf([aLine({ title: "25 GTQ", send: 2500 })]).lines[0]).toMatchObject({ send: 2500 });
});
