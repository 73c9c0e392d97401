import { MantineProvider } from "@mantine/core";
import { QueryClientProvider } from "@tanstack/react-query";
import { render, screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { HeldSaleInput } from "../../../../../server/contract/pos/held-sales.ts";
import { newQueryClient } from "../../../../lib/testing/reset-page.ts";
import {
  type Attempt,
  confirmAttempt,
  findLeftBasket,
  listAttempts,
  removeAttempt,
  saveAttempt,
} from "../attempt/attempt-store.ts";
import { LeftBasketScreen } from "./left-basket-screen.tsx";

const SHOP_LIVE = { staffId: "ana", environment: "live", training: false } as const;

const attempt: Attempt = {
  saleId: "4b7f3a5e-0000-4000-8000-000000000001",
  environment: "test",
  training: false,
  staffId: "ana",
  openedAt: 0,
  lines: [
    {
      transactionId: "t1",
      item: {
        productType: "TOPUP",
        offerId: "T50",
        brand: "TIGO",
        brandName: "Tigo",
        brandColor: "#00377b",
        country: "GT",
        title: "50 GTQ",
        number: "+50251234567",
        formatted: "+502 5123 4567",
        price: 5200,
        priceCurrency: "GTQ",
        priceCurrencyDivisor: 100,
      },
    },
  ],
};

let answer: () => Response;
let held: HeldSaleInput[] = [];

beforeEach(() => {
  held = [];
  answer = () => Response.json({});
  vi.stubGlobal("fetch", async (_path: string, { body }: { body: string }) => {
    held.push(JSON.parse(body) as HeldSaleInput);
    return answer();
  });
});
describe("findLeftBasket", () => {
  it("finds only an unpaid sale of the same window and person, and no training sale", () => {
    saveAttempt(attempt);
    expect(findLeftBasket(SHOP_LIVE)?.saleId).toBe(attempt.saleId);
    expect(findLeftBasket({ ...SHOP_LIVE, environment: "test" })).toBeUndefined();
    expect(findLeftBasket({ ...SHOP_LIVE, staffId: "rosa" })).toBeUndefined();
    expect(findLeftBasket({ ...SHOP_LIVE, training: true })).toBeUndefined();
    saveAttempt({ ...attempt, training: true });
    expect(findLeftBasket(SHOP_LIVE)).toBeUndefined();
    saveAttempt(confirmAttempt(attempt, { tenders: [] }, 1));
    expect(findLeftBasket(SHOP_LIVE)).toBeUndefined();
    removeAttempt(attempt.saleId);
    const ofAnotherWindow = JSON.stringify({ ...attempt, windowId: "another" });
    localStorage.setItem(`tillgate.attempt.${attempt.saleId}`, ofAnotherWindow);
    expect(findLeftBasket(SHOP_LIVE)).toBeUndefined();
  });
});

describe("LeftBasketScreen", () => {
  function show() {
    saveAttempt(attempt);
    const onEmpty = vi.fn<() => void>();
    render(
      <QueryClientProvider client={newQueryClient()}>
        <MantineProvider env="test">
          <LeftBasketScreen attempt={attempt} onEmpty={onEmpty} />
        </MantineProvider>
      </QueryClientProvider>,
    );
    return onEmpty;
  }

  it("names the environment of the basket, and has no payment button", () => {
    show();
    expect(screen.getByRole("heading").textContent).toBe("This sale was started in test mode");
    expect(screen.getAllByRole("button").map((button) => button.textContent)).toEqual([
      "Remove sale and continue",
      expect.stringContaining("Hold sale and continue"),
    ]);
  });

  it("holds the basket in its own environment on Enter, then switches to the shop's environment", async () => {
    const onEmpty = show();
    await userEvent.keyboard("{Enter}");
    await waitFor(() => expect(onEmpty).toHaveBeenCalledTimes(1));
    expect(held).toMatchObject([{ environment: "test", label: "+502 5123 4567" }]);
    expect(listAttempts()).toEqual([]);
  });

  it("keeps the basket visible after a failed request, and repeats the request with the same id", async () => {
    const onEmpty = show();
    answer = () => Response.json({}, { status: 503 });
    await userEvent.keyboard("{Enter}");
    await screen.findByRole("alert");
    expect(onEmpty).not.toHaveBeenCalled();
    expect(listAttempts()).toHaveLength(1);
    answer = () => Response.json({});
    await userEvent.keyboard("{Enter}");
    await waitFor(() => expect(onEmpty).toHaveBeenCalledTimes(1));
    expect(new Set(held.map(({ heldSaleId }) => heldSaleId)).size).toBe(1);
  });

  it("deletes the basket instead of holding it", async () => {
    const onEmpty = show();
    await userEvent.click(screen.getByRole("button", { name: "Remove sale and continue" }));
    expect(onEmpty).toHaveBeenCalledTimes(1);
    expect([held, listAttempts()]).toEqual([[], []]);
  });
});
