import { MantineProvider } from "@mantine/core";
import { QueryClientProvider } from "@tanstack/react-query";
import { render, screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { beforeEach, vi } from "vitest";
import type { Family } from "../../../../server/contract/pos/families.ts";
import { FIRST_TENDERS } from "../../../../server/contract/pos/shop-tenders.ts";
import { ApprovalContext, type Approve } from "../../../lib/approval-context.ts";
import { newQueryClient } from "../../../lib/testing/reset-page.ts";
import type { CounterWish } from "../families/interface/family.ts";
import { CounterScreen } from "../shell/counter-screen.tsx";
import { forgetDrafts } from "../shell/use-counter.ts";
import { earlier, fetchStub, gateway, gtq, newGateway } from "./gateway-stand-in.ts";

/** `pace`: milliseconds between keys. The default lets the clerk look at the screen. */
export const keys = { pace: 1000 };
let pressedAt = 0;

export function show(
  staffId = "ana",
  training = false,
  onFamily: (family: Family, asked: number) => void = () => undefined,
  approve: Approve = () => Promise.resolve(undefined),
) {
  const queryClient = newQueryClient({ defaultOptions: { queries: { retry: false } } });
  const till = {
    staffId,
    environment: "test" as const,
    training,
    ...gtq,
    cashStep: 0,
    tenders: FIRST_TENDERS,
    country: "GT",
  };
  const screenAt = (family: Family, asked?: number, wish?: CounterWish) => (
    <QueryClientProvider client={queryClient}>
      <MantineProvider>
        <ApprovalContext value={approve}>
          <CounterScreen
            till={till}
            family={family}
            asked={asked}
            onFamily={onFamily}
            wish={wish}
            onWishTaken={() => undefined}
            onCustomerSide={() => undefined}
            onPrint={() => Promise.resolve()}
          />
        </ApprovalContext>
      </MantineProvider>
    </QueryClientProvider>
  );
  const rendered = render(screenAt("TOPUP"));
  /** `asked` is set if the counter requested the change of the address. */
  const goTo = (family: Family, asked?: number, wish?: CounterWish) =>
    rendered.rerender(screenAt(family, asked, wish));
  return { ...rendered, goTo, queryClient };
}

export function standInForGateway(): void {
  beforeEach(() => {
    keys.pace = 1000;
    vi.spyOn(Event.prototype, "timeStamp", "get").mockImplementation(() => {
      pressedAt += keys.pace;
      return pressedAt;
    });
    Object.assign(gateway, newGateway());
    forgetDrafts();
    vi.stubGlobal("fetch", vi.fn(fetchStub));
  });
}

export async function openAgain(changes: { soldAt?: string; outcome?: string }) {
  const { saleId, soldAt, outcome } = { ...earlier, ...changes };
  const isRecent = Date.now() - Date.parse(soldAt) < 600_000;
  const sale = { saleId, saleNumber: 5, soldAt, outcome, clerk: "Ana" };
  gateway.soldBefore = [{ ...earlier, ...sale }];
  gateway.checked =
    isRecent || outcome !== "DELIVERED"
      ? { earlier: { ...sale, same: isRecent, recipientFormatted: "+502 5123 4567" } }
      : {};
  const user = userEvent.setup({ delay: null });
  show();
  await screen.findByRole("button", { name: /\+502 5123 4567/ });
  await user.keyboard("{ArrowDown}{Enter}");
  await screen.findByText("Confirm with the customer");
  return user;
}
