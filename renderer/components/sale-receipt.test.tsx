import { QueryClientProvider } from "@tanstack/react-query";
import { cleanup, render, screen, waitFor } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { aLine, aReceipt, notDelivered } from "../../e2e/support/receipts.ts";
import type { Sale } from "../../server/contract/pos/sales.ts";
import { newQueryClient } from "../lib/testing/reset-page.ts";
import { SaleReceipt } from "./sale-receipt.tsx";

const sounded = vi.fn<() => void>();

class AudioStandIn {
  readonly currentTime = 0;
  readonly destination = {};
  readonly close = () => Promise.resolve();

  constructor() {
    sounded();
  }

  createOscillator() {
    const connect = <Node,>(next: Node) => next;
    return Object.assign(new EventTarget(), { frequency: {}, connect, start() {}, stop() {} });
  }

  createGain() {
    const gain = { setValueAtTime() {}, exponentialRampToValueAtTime() {} };
    return { gain, connect: <Node,>(next: Node) => next };
  }
}

it("the receipt of a partly delivered sale shows the outcome above the lines, and the delivered line first", () => {
  const { sale } = aReceipt([notDelivered, aLine()]);
  render(
    <QueryClientProvider client={newQueryClient()}>
      <SaleReceipt sale={sale} />
    </QueryClientProvider>,
  );
  expect(screen.getByText("Partly delivered")).toBeDefined();
  const [first, last] = screen.getAllByRole("listitem");
  expect(first?.textContent).toContain("+502 5123 4567");
  expect(last?.textContent).toContain("+1 809 555 0134");
});

it("the receipt states that the provider sent no confirmation number for a delivery", () => {
  const { confirmationNumber: _, ...line } = { ...aLine(), noConfirmation: true as const };
  const { sale } = aReceipt([line]);
  render(
    <QueryClientProvider client={newQueryClient()}>
      <SaleReceipt sale={sale} />
    </QueryClientProvider>,
  );
  expect(screen.getByText("Delivered")).toBeDefined();
  expect(screen.getByText("The provider sent no confirmation number.")).toBeDefined();
});

it("the receipt of a payment names the time of delivery once, in the head", () => {
  const shown = (props: Parameters<typeof SaleReceipt>[0]) => (
    <QueryClientProvider client={newQueryClient()}>
      <SaleReceipt {...props} />
    </QueryClientProvider>
  );
  const { sale } = aReceipt([aLine(), aLine({ position: 2, transactionId: "second" })]);
  const { rerender } = render(shown({ sale, isAtPayment: true }));
  expect(screen.getAllByText(/^Confirmed at /)).toHaveLength(1);
  for (const item of screen.getAllByRole("listitem")) {
    expect(item.textContent).not.toContain("Confirmed at ");
  }
  rerender(shown({ sale }));
  for (const item of screen.getAllByRole("listitem")) {
    expect(item.textContent).toContain("Confirmed at ");
  }
});

it("the receipt plays one sound if the sale is delivered while the clerk views its payment", async () => {
  vi.stubGlobal("AudioContext", AudioStandIn);
  localStorage.setItem("tillgate.delivered-sound", "on");
  const { sale } = aReceipt([aLine()]);
  const saleAs = (outcome: Sale["lines"][number]["outcome"]): Sale => ({
    ...sale,
    lines: sale.lines.map((line) => ({ ...line, outcome })),
  });
  const queryClient = newQueryClient();
  const shown = (shownSale: Sale, isAtPayment: boolean) => (
    <QueryClientProvider client={queryClient}>
      <SaleReceipt sale={shownSale} isAtPayment={isAtPayment} />
    </QueryClientProvider>
  );
  const { rerender, unmount } = render(shown(saleAs("STILL_SENDING"), true));
  expect(sounded).not.toHaveBeenCalled();
  rerender(shown(saleAs("DELIVERED"), true));
  await waitFor(() => expect(sounded).toHaveBeenCalledTimes(1));
  rerender(shown(saleAs("DELIVERED"), true));
  expect(sounded).toHaveBeenCalledTimes(1);
  unmount();
  // No sound is played when the sale is opened later, or in Today.
  render(shown(saleAs("DELIVERED"), true));
  cleanup();
  const today = render(shown(saleAs("STILL_SENDING"), false));
  today.rerender(shown(saleAs("DELIVERED"), false));
  expect(sounded).toHaveBeenCalledTimes(1);
});

it("the receipt asks for the change only while the sale is paid, and afterwards only for the refund", () => {
  const line = { ...notDelivered, refunded: false };
  const { sale } = aReceipt([line]);
  const first: Sale = {
    ...sale,
    saleNumber: 2,
    total: 2_079,
    refundDue: 2_079,
    refunded: 0,
    change: 2_921,
    tenders: [{ kind: "CASH", amount: 2_079, tendered: 5_000 }],
  };
  const shown = (props: Parameters<typeof SaleReceipt>[0]) => (
    <QueryClientProvider client={newQueryClient()}>
      <SaleReceipt {...props} />
    </QueryClientProvider>
  );
  const handOver = () => screen.getByText("Cash to hand over").parentElement?.textContent;
  const delivered: Sale = { ...first, lines: [aLine()], refundDue: 0 };
  const { rerender } = render(shown({ sale: delivered, isAtPayment: true }));
  expect(screen.getByText("Give change").parentElement?.textContent).toContain("29.21");
  rerender(shown({ sale: delivered, isAtPayment: true, isReopened: true }));
  expect(screen.queryByText("Give change")).toBeNull();
  expect(screen.getByText("Change, unless already given").parentElement?.textContent).toContain(
    "29.21",
  );
  rerender(shown({ sale: first, isAtPayment: true }));
  expect(handOver()).toMatch(/over.*20\.79.*Change, unless already given: .*29\.21/);
  expect(handOver()).not.toContain("50.00");
  expect(screen.getAllByText(/wallet wasn’t charged/)).toHaveLength(1);
  // The amount in the head is enough on the screen, but is not announced.
  expect(screen.getByText(/^Refund due: /).className).toBe("spoken");
  rerender(shown({ sale: first, isAtPayment: true, canSendAgain: true }));
  expect(handOver()).toMatch(/over.*20\.79.*Unless it is sent again.*29\.21/);
  const refunded: Sale = { ...first, lines: [notDelivered], refundDue: 0, refunded: 2_079 };
  rerender(shown({ sale: refunded, isAtPayment: true }));
  expect(screen.queryByText("Give change")).toBeNull();
  expect(screen.queryByText("Change, unless already given")).toBeNull();
  const again: Sale = { ...sale, lines: [aLine()], saleNumber: 3, change: 0, refundDue: 0 };
  rerender(shown({ sale: again, isAtPayment: true, paidBy: first }));
  expect(
    screen.getByText("Change of sale 2, unless already given").parentElement?.textContent,
  ).toContain("29.21");
});
