import { screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { describe, expect, it, vi } from "vitest";
import { openAgain, show, standInForGateway } from "../testing/counter-till.tsx";
import { earlier, fetchStub, gateway, minutesAgo } from "../testing/gateway-stand-in.ts";

standInForGateway();

describe("counter with an earlier sale to the number", () => {
  it.each(["SENDING", "STILL_SENDING"])(
    "does not sell to the number again on Enter while the earlier sale is %s",
    async (outcome) => {
      const user = await openAgain({ outcome, soldAt: minutesAgo(300) });
      const words = "Sale 5 to this number is still pending. Keep the money. Don’t sell it again.";
      expect((await screen.findByRole("alert")).textContent).toBe(words);
      await user.keyboard("{Enter}{Enter}{Enter}");
      expect(gateway.sent).toEqual([]);
      expect(screen.getByText("Confirm with the customer")).toBeDefined();
      expect(screen.getByRole("button", { name: /Sell again anyway/ })).toBeDefined();
      await user.keyboard("{F8}");
      expect(await screen.findByText("Confirmation C-77")).toBeDefined();
      expect(gateway.sent).toHaveLength(1);
    },
  );

  it("requires a confirmation if the same product was just delivered", async () => {
    const user = await openAgain({ soldAt: minutesAgo(3) });
    expect((await screen.findByRole("alert")).textContent).toContain("(sale 5)");
    await user.keyboard("{Enter}{Enter}");
    expect(gateway.sent).toEqual([]);
    await user.click(screen.getByRole("button", { name: /Sell again anyway/ }));
    await waitFor(() => expect(gateway.sent).toHaveLength(1));
  });

  it("sells again on Enter if nothing was delivered", async () => {
    const user = await openAgain({ outcome: "NOT_DELIVERED", soldAt: minutesAgo(3) });
    expect((await screen.findByRole("note")).textContent).toMatch(
      /^Not delivered \(.+\), refunded\.$/,
    );
    expect(screen.queryByRole("button", { name: /Sell again/ })).toBeNull();
    await user.keyboard("{F8}");
    expect(gateway.sent).toEqual([]);
    await user.keyboard("{Enter}");
    await waitFor(() => expect(gateway.sent).toHaveLength(1));
  });

  it("does not sell twice if Enter is pressed several times before the gateway's answer", async () => {
    const user = await openAgain({});
    await user.keyboard("{Enter}");
    await screen.findByText("Confirmation C-77");
    const { saleId, outcome } = earlier;
    const sale = { saleId, saleNumber: 124, soldAt: minutesAgo(0), outcome, clerk: "Ana" };
    gateway.checked = { earlier: { ...sale, same: true, recipientFormatted: "+502 5123 4567" } };
    await user.keyboard("{ArrowDown}{Enter}{Enter}{Enter}{Enter}");
    expect(await screen.findByRole("button", { name: /Sell again anyway/ })).toBeDefined();
    expect(gateway.sent).toHaveLength(1);
  });

  it("warns about sales of this till if the gateway does not answer the check", async () => {
    vi.stubGlobal("fetch", (url: string, init?: RequestInit) =>
      String(url) === "/pos/sales/check"
        ? Promise.reject(new TypeError("connection lost"))
        : fetchStub(url, init),
    );
    const user = userEvent.setup({ delay: null });
    show();
    const sellTen = async () => {
      await user.keyboard("50251234567{Enter}");
      await screen.findByRole("button", { name: /Q\s10/ });
      await user.keyboard("1");
      await screen.findByText("Confirm with the customer");
      await user.keyboard("{Enter}");
    };
    await sellTen();
    await screen.findByText("Confirmation C-77");
    await sellTen();
    expect(await screen.findByRole("button", { name: /Sell again anyway/ })).toBeDefined();
    expect(gateway.sent).toHaveLength(1);
    await user.keyboard("{F8}");
    await waitFor(() => expect(gateway.sent).toHaveLength(2));
  });

  it("does not sell to the number again while the first sale is unanswered", async () => {
    gateway.answerSale = () => {
      throw new TypeError("connection lost");
    };
    const user = await openAgain({});
    await user.keyboard("{Enter}");
    await screen.findByText("Paid. Waiting for the connection.");
    await user.keyboard("{ArrowDown}{Enter}{Enter}");
    expect((await screen.findAllByRole("alert"))[0]?.textContent).toBe(
      "A top-up to this number is still pending. Keep the money. Don’t sell it again.",
    );
    expect(new Set(gateway.sent.map(({ saleId }) => saleId)).size).toBe(1);
  });

  it("shows the outcome of the earlier sale", async () => {
    gateway.soldBefore = [{ ...earlier, outcome: "NOT_DELIVERED" }];
    show();
    const row = await screen.findByRole("button", { name: /\+502 5123 4567/ });
    expect(row.textContent).toContain("Not delivered");
  });
});
