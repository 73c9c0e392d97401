import { cleanup, screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { listAttempts } from "../sale/attempt/attempt-store.ts";
import { openAgain, show, standInForGateway } from "../testing/counter-till.tsx";
import { delivered, gateway, json, minutesAgo } from "../testing/gateway-stand-in.ts";

standInForGateway();

describe("counter", () => {
  it("sells a new top-up with the digits of its number and three more keys", async () => {
    const user = userEvent.setup({ delay: null });
    show();
    await user.keyboard("50251234567");
    await user.keyboard("{Enter}");
    await screen.findByRole("button", { name: /Q\s50/ });
    await user.keyboard("2");
    expect(await screen.findByText("Confirm with the customer")).toBeDefined();
    await user.keyboard("{Enter}");
    expect(await screen.findByText("Confirmation C-77")).toBeDefined();
    expect(gateway.sent).toHaveLength(1);
    expect(gateway.sent[0]?.lines[0]).toMatchObject({
      recipientPhoneNumber: "+50251234567",
      price: 5200,
    });
    expect(gateway.sent[0]?.tenders).toEqual([{ kind: "CASH", tendered: 5200 }]);
    expect(listAttempts()).toEqual([]);
  });

  it("repeats a sale to a known number with three keys", async () => {
    const user = userEvent.setup({ delay: null });
    show();
    await screen.findByRole("button", { name: /\+502 5123 4567/ });
    await user.keyboard("{ArrowDown}{Enter}{Enter}");
    expect(await screen.findByText("Confirmation C-77")).toBeDefined();
    expect(gateway.sent).toHaveLength(1);
  });

  it("names the discounted line, and shows the discounted price while and after the discount is typed", async () => {
    const user = userEvent.setup({ delay: null });
    show();
    await screen.findByRole("button", { name: /\+502 5123 4567/ });
    await user.keyboard("{ArrowDown}{Enter}");
    await screen.findByText("Confirm with the customer");
    await user.keyboard("d");
    await screen.findByText(/Discount on .*50/);
    await user.keyboard("2");
    const plain = (text: string | null) => (text ?? "").replaceAll(/[\s\u2066-\u2069]/g, " ");
    await screen.findByText((_, element) =>
      /Q ?52\.00 ?becomes ?Q ?50\.00/.test(
        element?.matches("p[id$=hint]") ? plain(element.textContent) : "",
      ),
    );
    await user.keyboard("{Enter}");
    await waitFor(() => expect(plain(document.body.textContent)).toMatch(/52\.00.{0,3} less/));
    expect(plain(screen.getByRole("main").textContent)).toContain("50.00");
  });

  it("repeats an unanswered sale with the same ids, and sells only once", async () => {
    gateway.answerSale = () => {
      gateway.answerSale = delivered;
      throw new TypeError("connection lost");
    };
    const user = userEvent.setup({ delay: null });
    show();
    await screen.findByRole("button", { name: /\+502 5123 4567/ });
    await user.keyboard("{ArrowDown}{Enter}{Enter}");
    expect(await screen.findByText("Confirmation C-77")).toBeDefined();
    expect(gateway.sent.length).toBeGreaterThan(1);
    expect(new Set(gateway.sent.map((input) => JSON.stringify(input))).size).toBe(1);
    await waitFor(() => expect(listAttempts()).toEqual([]));
  });

  it("explains a refusal and stays in the confirm step", async () => {
    const fields = { upTo: "4900", currency: "GTQ", currencyDivisor: "100" };
    gateway.answerSale = () => json({ errorCode: "WALLET_SHORT", message: "", fields }, 409);
    const user = userEvent.setup({ delay: null });
    show();
    await screen.findByRole("button", { name: /\+502 5123 4567/ });
    await user.keyboard("{ArrowDown}{Enter}{Enter}");
    const alert = await screen.findByRole("alert");
    expect(alert.textContent?.replaceAll(/\s/g, " ")).toContain("up to about Q 49 now");
    expect(screen.getByText("Confirm with the customer")).toBeDefined();
  });
});

describe("counter after a reload", () => {
  it("shows the latest sale", async () => {
    const user = await openAgain({});
    await user.keyboard("{Enter}");
    await screen.findByText("Confirmation C-77");
    cleanup();
    show();
    await user.click(await screen.findByRole("button", { name: /Last sale/ }));
    expect(await screen.findByText("Confirmation C-77")).toBeDefined();
  });
});

describe("counter with several lines", () => {
  it("pays several lines together by card and cash, each with its own id", async () => {
    const user = await openAgain({ soldAt: minutesAgo(60) });
    await user.keyboard("+");
    await screen.findByRole("button", { name: /Go to payment/ });
    await user.keyboard("50251234567{Enter}");
    await screen.findByRole("button", { name: /Q\s10/ });
    await user.keyboard("1");
    await screen.findByText("Confirm with the customer");
    expect(listAttempts()[0]?.lines).toHaveLength(2);
    await user.keyboard("40c");
    await screen.findByText("Card", { selector: "span" });
    await user.keyboard("{Enter}");
    await waitFor(() => expect(gateway.sent).toHaveLength(1));
    expect(gateway.sent[0]?.lines.map(({ offerId, price }) => [offerId, price])).toEqual([
      ["T50", 5200],
      ["T10", 1040],
    ]);
    expect(new Set(gateway.sent[0]?.lines.map(({ transactionId }) => transactionId)).size).toBe(2);
    expect(gateway.sent[0]?.tenders).toEqual([
      { kind: "CASH", tendered: 2240 },
      { kind: "CARD", amount: 4000 },
    ]);
  });

  it("requires a confirmation before it sells two equal lines", async () => {
    const user = await openAgain({ soldAt: minutesAgo(60) });
    await user.keyboard("+");
    await screen.findByRole("button", { name: /Go to payment/ });
    await user.keyboard("{ArrowDown}{Enter}");
    await screen.findByText(/This sale has the same product/);
    await user.keyboard("{Enter}");
    expect(gateway.sent).toEqual([]);
    await user.keyboard("{Alt>}1{/Alt}");
    await waitFor(() => expect(screen.queryByText(/This sale has the same product/)).toBeNull());
    await user.keyboard("{Enter}");
    await waitFor(() => expect(gateway.sent[0]?.lines).toHaveLength(1));
  });
});

describe("counter cash field", () => {
  it("rejects an implausible amount", async () => {
    const user = await openAgain({});
    await user.keyboard("9999999");
    expect(await screen.findByText("That is not cash:")).toBeDefined();
    await user.keyboard("{Enter}");
    expect(gateway.sent).toEqual([]);
  });

  it("reads a phone number as the next customer's number, and keeps the line in the basket", async () => {
    const user = await openAgain({});
    await user.keyboard("50241234567");
    await screen.findByRole("button", { name: /Remove Tigo/ });
    const field = screen.getByRole<HTMLInputElement>("textbox", {
      name: "Number, name, product or barcode",
    });
    expect(field.value.replaceAll(/\D/g, "")).toBe("50241234567");
    expect(document.activeElement).toBe(field);
    expect(gateway.sent).toEqual([]);
  });
});
