import { screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, describe, expect, it, vi } from "vitest";
import { listUnsentAttempts } from "../sale/attempt/attempt-store.ts";
import { show, standInForGateway } from "../testing/counter-till.tsx";
import { delivered, gateway, json } from "../testing/gateway-stand-in.ts";

standInForGateway();

describe("counter while paying", () => {
  /** Opens the confirm step and presses Enter. `answer` lets the gateway answer. */
  async function payInSuspense(
    answered: typeof gateway.answerSale = delivered,
    approve?: Parameters<typeof show>[3],
  ) {
    const held = Promise.withResolvers<void>();
    gateway.answerSale = async (input) => {
      await held.promise;
      return answered(input);
    };
    const user = userEvent.setup({ delay: null });
    const shown = show("ana", false, undefined, approve);
    await screen.findByRole("button", { name: /\+502 5123 4567/ });
    await user.keyboard("{ArrowDown}{Enter}");
    await screen.findByRole("button", { name: /Take payment/ });
    await user.keyboard("{Enter}");
    await waitFor(() => expect(gateway.sent).toHaveLength(1));
    return { ...shown, user, answer: held.resolve };
  }

  const typed = () => screen.getByRole<HTMLInputElement>("textbox").value.replaceAll(/\D/g, "");

  it("types the next customer's number, and ignores a second Enter", async () => {
    const { user, answer } = await payInSuspense();
    await user.keyboard("{Enter}5025987{Backspace}8");
    answer();
    await screen.findByRole("button", { name: /Last sale.*Delivered/ });
    await waitFor(() => expect(typed()).toBe("5025988"));
    expect(gateway.sent).toHaveLength(1);
  });

  it("opens a family after the payment if its key was pressed during the payment", async () => {
    const { user, answer } = await payInSuspense();
    await user.keyboard("{F2}");
    answer();
    await screen.findByRole("button", { name: /Last sale.*Delivered/ });
    await screen.findByRole("main", { name: "Gift card" });
  });

  it("opens a family after the payment if the address named it during the payment", async () => {
    const { goTo, answer } = await payInSuspense();
    goTo("VOUCHER");
    answer();
    await screen.findByRole("button", { name: /Last sale.*Delivered/ });
    await screen.findByRole("main", { name: "Gift card" });
  });

  it("discards typed keys if the sale is refused", async () => {
    const refused = () => json({ errorCode: "WALLET_SHORT", message: "", fields: {} }, 409);
    const { user, goTo, answer } = await payInSuspense(refused);
    await user.keyboard("50{Enter}");
    goTo("VOUCHER");
    answer();
    await screen.findByRole("alert");
    expect(screen.getByText("Confirm with the customer")).toBeDefined();
    expect(typed()).toBe("");
    expect(gateway.sent).toHaveLength(1);
  });

  it("stores a sale that needs an approval as unpaid, so that a lock cannot send it later", async () => {
    const fields = { needs: "approveSale", requestDigest: "d", facts: "{}" };
    const refused = () => json({ errorCode: "APPROVAL_REQUIRED", message: "", fields }, 403);
    const unanswered = () => new Promise<undefined>(() => undefined);
    const { answer, unmount } = await payInSuspense(refused, unanswered);
    expect(listUnsentAttempts()).toHaveLength(1);
    gateway.answerSale = delivered;
    answer();
    await waitFor(() => expect(listUnsentAttempts()).toEqual([]));
    unmount();
    show();
    expect(await screen.findByText("Confirm with the customer")).toBeDefined();
    expect(gateway.sent).toHaveLength(1);
  });

  it("states the pilot's limit, the amount left today, and how the owner can end the pilot", async () => {
    const fields = { perDay: "1250", currency: "GTQ", currencyDivisor: "100" };
    const refused = () => json({ errorCode: "PILOT_LIMIT", message: "", fields }, 409);
    const { answer } = await payInSuspense(refused);
    answer();
    const alert = await screen.findByRole("alert");
    expect(alert.textContent).toMatch(/Pilot limit: Q\s?12\.50 left today/);
    expect(alert.textContent).toContain("ask the owner to end the pilot under Go live");
    expect(screen.getByText("Confirm with the customer")).toBeDefined();
  });

  it("states the pilot's limit of one sale beside the amount left today", async () => {
    const fields = { perSale: "2000", perDay: "9000", currency: "GTQ", currencyDivisor: "100" };
    const refused = () => json({ errorCode: "PILOT_LIMIT", message: "", fields }, 409);
    const { answer } = await payInSuspense(refused);
    answer();
    const alert = await screen.findByRole("alert");
    expect(alert.textContent).toMatch(/Q\s?20\.00 at most per sale, Q\s?90\.00 left today/);
  });
});

describe("a browser whose storage is full", () => {
  afterEach(() => {
    vi.restoreAllMocks();
  });

  function fillStorage(): void {
    vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
      throw new DOMException("full", "QuotaExceededError");
    });
  }

  it("sends no payment, states the reason, and pays after storage space is free again", async () => {
    const user = userEvent.setup({ delay: null });
    show();
    await screen.findByRole("button", { name: /\+502 5123 4567/ });
    fillStorage();
    await user.keyboard("{ArrowDown}{Enter}");
    await screen.findByRole("button", { name: /Take payment/ });
    await user.keyboard("{Enter}");
    const alert = await screen.findByRole("alert");
    expect(alert.textContent).toMatch(/its storage is full or blocked. Nothing was sold/);
    expect(gateway.sent).toEqual([]);
    expect(screen.getByText("Confirm with the customer")).toBeDefined();
    vi.restoreAllMocks();
    await user.keyboard("{Enter}");
    await waitFor(() => expect(gateway.sent).toHaveLength(1));
  });

  it("undoes the payment and opens another family without a screen error", async () => {
    const user = userEvent.setup({ delay: null });
    show();
    await screen.findByRole("button", { name: /\+502 5123 4567/ });
    fillStorage();
    await user.keyboard("{ArrowDown}{Enter}");
    await screen.findByRole("button", { name: /Take payment/ });
    await user.keyboard("{Escape}{Escape}{F2}");
    await screen.findByRole("main", { name: "Gift card" });
  });
});
