import { QueryClientProvider } from "@tanstack/react-query";
import { cleanup, render, screen, waitFor } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { aLine, aReceipt, notDelivered } from "../../e2e/support/receipts.ts";
import type { Sale } from "../../server/contract/pos/sales.ts";
import { newQueryClient } from "../lib/testing/reset-page.ts";
import { SaleReceipt } from "./sale-receipt.tsx";

/** Called for each sound that starts. */
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

it("shows of a sale of which a part arrived that part first, and says so above", () => {
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

it("sounds once for a sale delivered while the clerk looks at its payment", async () => {
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
  // The sale is opened later, or in Today.
  render(shown(saleAs("DELIVERED"), true));
  cleanup();
  const today = render(shown(saleAs("STILL_SENDING"), false));
  today.rerender(shown(saleAs("DELIVERED"), false));
  expect(sounded).toHaveBeenCalledTimes(1);
});
