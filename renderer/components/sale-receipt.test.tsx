import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen } from "@testing-library/react";
import { beforeAll, expect, it } from "vitest";
import { aLine, aReceipt, notDelivered } from "../../e2e/support/receipts.ts";
import { startI18n } from "../lib/i18n.ts";
import { SaleReceipt } from "./sale-receipt.tsx";

beforeAll(() => {
  startI18n("en");
});

it("shows of a sale of which a part arrived that part first, and says so above", () => {
  const { sale } = aReceipt([notDelivered, aLine()]);
  render(
    <QueryClientProvider client={new QueryClient()}>
      <SaleReceipt sale={sale} />
    </QueryClientProvider>,
  );
  expect(screen.getByText("Partly delivered")).toBeDefined();
  const [first, last] = screen.getAllByRole("listitem");
  expect(first?.textContent).toContain("+502 5123 4567");
  expect(last?.textContent).toContain("+1 809 555 0134");
});
