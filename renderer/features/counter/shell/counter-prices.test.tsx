import { screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { describe, expect, it, vi } from "vitest";
import { openAgain, show, standInForGateway } from "../testing/counter-till.tsx";
import { fetchStub, gateway, minutesAgo } from "../testing/gateway-stand-in.ts";

standInForGateway();

describe("counter after a price change", () => {
  const NOTICE = /now costs Q\s54\.50 instead of Q\s52\.00\. Tell the customer, then continue\.$/;

  it("shows the changed price beside the old price during payment, and charges it only after another Enter", async () => {
    const user = await openAgain({ soldAt: minutesAgo(60) });
    await screen.findByRole("button", { name: /Take payment Q\s52\.00/ });
    gateway.checked = { price: 5450 };
    await user.keyboard("{Enter}");
    expect((await screen.findByRole("alert")).textContent).toMatch(NOTICE);
    expect(screen.getAllByText(/Q\s52\.00/, { selector: "del" })).toHaveLength(2);
    expect(gateway.sent).toEqual([]);
    await user.keyboard("{Enter}");
    await waitFor(() => expect(gateway.sent[0]?.lines[0]?.price).toBe(5450));
  });
});

describe("counter during a pending discount permission", () => {
  /** Types a discount of Q 2 and the Enter that pays. `answer` lets the gateway answer. */
  async function payAfterDiscount() {
    const held = Promise.withResolvers<void>();
    vi.stubGlobal("fetch", async (url: string, init?: RequestInit) => {
      if (String(url) === "/pos/sales/discounts") {
        await held.promise;
        return new Response(null, { status: 204 });
      }
      return fetchStub(url, init);
    });
    const user = userEvent.setup({ delay: null });
    show();
    await screen.findByRole("button", { name: /\+502 5123 4567/ });
    await user.keyboard("{ArrowDown}{Enter}");
    await screen.findByRole("button", { name: /Take payment Q\s52/ });
    await user.keyboard("d2{Enter}");
    await screen.findByRole("button", { name: /Take payment Q\s50/ });
    await user.keyboard("{Enter}");
    return { user, answer: held.resolve };
  }

  it("pays after the discount is granted if the clerk has already pressed Enter", async () => {
    const { answer } = await payAfterDiscount();
    expect(gateway.sent).toEqual([]);
    answer();
    await waitFor(() =>
      expect(gateway.sent[0]?.lines[0]).toMatchObject({ price: 5200, discount: 200 }),
    );
  });

  it("does not pay with an Enter typed ahead if the clerk then cancels", async () => {
    const { user, answer } = await payAfterDiscount();
    await user.keyboard("{Escape}{Enter}");
    await screen.findByRole("button", { name: /Take payment Q\s52/ });
    answer();
    await user.keyboard("60");
    await user.keyboard("{Enter}");
    await waitFor(() =>
      expect(gateway.sent[0]?.tenders).toEqual([{ kind: "CASH", tendered: 6000 }]),
    );
  });
});
