import { render, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { ReceiptFrame, type ReceiptSums } from "./receipt-frame.tsx";

function frameOf(tenders: ReceiptSums["tenders"]) {
  const sums = { total: 1000, tenders, change: 0, currency: "GTQ", currencyDivisor: 100 };
  return (
    <ReceiptFrame title="Sale 1" note="" sums={sums}>
      {[]}
    </ReceiptFrame>
  );
}

it("a receipt lists each of two equal payments, and does not repeat a single payment", () => {
  const half = { kind: "CARD", amount: 500 } as const;
  const { rerender } = render(frameOf([half, half]));
  expect(screen.getAllByText("Card")).toHaveLength(2);
  rerender(frameOf([{ kind: "CARD", amount: 1000 }]));
  expect(screen.getAllByText("Card")).toHaveLength(1);
  rerender(frameOf([half, half]));
  rerender(frameOf([half]));
  expect(screen.getAllByText("Card")).toHaveLength(1);
});
