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
/** View of a sale paid a moment ago, at this till or another. */
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

it("the customer's view of a paid sale ends half a minute after the payment", () => {
  expect(sideOf([aLine()])).toMatchObject({ phase: "PAID", idleAt: NOW + 30_000 });
});

it("the customer's view is idle after the next sale starts, and after a payment at another till", () => {
  expect(sideOf([aLine()], true).phase).toBe("IDLE");
  localStorage.clear();
  expect(sideOf([aLine()], false, false).phase).toBe("IDLE");
});

it("the customer sees the whole number until delivery, and afterwards only its last digits", () => {
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

it("the customer sees the chosen amount and a bill's service, but never the limits of an offer", () => {
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

it("the customer sees the contents of a bundle, but no delivered amount", () => {
  const [bundle] = sideOf([aLine({ title: "2 GB, 50 min, 7 days", send: 4000 })]).lines;
  expect(bundle).toMatchObject({ title: "2 GB, 50 min, 7 days" });
  expect(bundle).not.toHaveProperty("send");
  expect(sideOf([aLine({ title: "25 GTQ", send: 2500 })]).lines[0]).toMatchObject({ send: 2500 });
});
