import { screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { describe, expect, it, vi } from "vitest";
import type { SaleInput } from "../../../../server/contract/pos/sales.ts";
import { phoneDigits } from "../../../lib/phone-format.ts";
import { listAttempts } from "../sale/attempt/attempt-store.ts";
import { keys, openAgain, show, standInForGateway } from "../testing/counter-till.tsx";
import { ANSWERS, delivered, fetchStub, gateway, json } from "../testing/gateway-stand-in.ts";

standInForGateway();

describe("counter focus", () => {
  it("ignores keys on a focused button, and handles them again in the field", async () => {
    const user = await openAgain({});
    screen.getByRole("button", { name: "Back" }).focus();
    await user.keyboard("c5+");
    expect(screen.queryByText("Card", { selector: "span" })).toBeNull();
    expect(screen.getByRole<HTMLInputElement>("textbox", { name: /Cash/ }).value).toBe("");
    expect(listAttempts()[0]?.openLine).toBeDefined();
    screen.getByRole("textbox", { name: /Cash/ }).focus();
    await user.keyboard("c");
    await screen.findByText("Card", { selector: "span" });
  });

  it("shows the missing input on Enter with an empty field or a short number", async () => {
    vi.stubGlobal("fetch", (url: string, init?: RequestInit) =>
      String(url).startsWith("/pos/phone")
        ? Promise.resolve(
            json({
              ...(ANSWERS["/pos/phone"] as object),
              number: "+5021",
              valid: false,
              brands: [],
            }),
          )
        : fetchStub(url, init),
    );
    const user = userEvent.setup({ delay: null });
    show();
    await screen.findByRole("button", { name: /\+502 5123 4567/ });
    await user.keyboard("{Enter}");
    await screen.findByText("Type a number, a name or a product");
    await user.keyboard("5021");
    expect(screen.queryByText("Type a number, a name or a product")).toBeNull();
    await screen.findAllByText("Number too short");
    await user.keyboard("{Enter}");
    await waitFor(() => expect(screen.getAllByText("Number too short")).toHaveLength(4));
  });

  it("moves the focus with the arrow keys, and back to the field with a digit", async () => {
    const user = userEvent.setup({ delay: null });
    show();
    const row = await screen.findByRole("button", { name: /\+502 5123 4567/ });
    await user.keyboard("{ArrowDown}");
    expect(document.activeElement).toBe(row);
    await user.keyboard("5");
    const field = screen.getByRole<HTMLInputElement>("textbox", {
      name: "Number, name, product or barcode",
    });
    expect([document.activeElement, field.value]).toEqual([field, "5"]);
    await user.clear(field);
    await user.keyboard("50251234567{Enter}");
    const [tile] = await screen.findAllByRole("button", { name: /Q\s10/ });
    expect(document.activeElement?.tagName).toBe("MAIN");
    await user.keyboard("{ArrowDown}");
    expect(document.activeElement).toBe(tile);
    await user.keyboard("{Enter}");
    await screen.findByText("Confirm with the customer");
  });
});

describe("counter after a quickly typed number", () => {
  it("puts the whole number into the number field, and stores no attempt", async () => {
    const user = userEvent.setup({ delay: null });
    const offers = async () => {
      await user.keyboard("50251234567{Enter}");
      await screen.findByRole("button", { name: /Q\s10/ });
    };
    show();
    await offers();
    keys.pace = 60;
    await user.keyboard("2100006");
    const field = screen.getByRole<HTMLInputElement>("textbox", {
      name: "Number, name, product or barcode",
    });
    expect(field.value.replaceAll(/\D/g, "")).toBe("2100006");
    expect(listAttempts()).toEqual([]);
    await user.keyboard("{Enter}{Enter}");
    expect(gateway.sent).toEqual([]);
  });

  it("uses the number for the next customer, however soon it is typed after the payment", async () => {
    let answer = (_response: Response) => {};
    gateway.answerSale = () => new Promise((resolve) => (answer = resolve));
    const user = userEvent.setup({ delay: null });
    show();
    await screen.findByRole("button", { name: /\+502 5123 4567/ });
    await user.keyboard("{ArrowDown}{Enter}{Enter}");
    await waitFor(() => expect(gateway.sent).toHaveLength(1));
    keys.pace = 60;
    await user.keyboard("51000060");
    answer(delivered(gateway.sent[0] as SaleInput));
    const field = await screen.findByRole<HTMLInputElement>("textbox", {
      name: "Number, name, product or barcode",
    });
    await waitFor(() => expect(field.value.replaceAll(/\D/g, "")).toBe("51000060"));
    expect(gateway.sent).toHaveLength(1);
  });
});

describe("counter while a number is typed", () => {
  it("does not judge a number before the gateway has answered", async () => {
    vi.stubGlobal("fetch", (url: string) =>
      String(url).startsWith("/pos/phone")
        ? Promise.reject(new TypeError("connection lost"))
        : fetchStub(url),
    );
    const user = userEvent.setup({ delay: null });
    show();
    await user.keyboard("50251234567");
    expect(await screen.findByText(/^Can’t reach Tillgate\. The number is checked/)).toBeDefined();
    expect(screen.queryByText(/No such number|not sold here|missing/)).toBeNull();
  });

  it("judges the number only after an answer for exactly its digits", async () => {
    vi.stubGlobal("fetch", (url: string) => {
      const digits = new URL(url, "http://till").searchParams.get("number");
      if (!String(url).startsWith("/pos/phone")) {
        return fetchStub(url);
      }
      return digits === "5021"
        ? Promise.resolve(json({ ...(ANSWERS["/pos/phone"] as object), valid: false, brands: [] }))
        : new Promise(() => undefined);
    });
    const user = userEvent.setup({ delay: null });
    show();
    await user.keyboard("5021");
    await screen.findAllByText(/Number too short/);
    await user.keyboard("2");
    expect(await screen.findByText("Checking the number…")).toBeDefined();
    expect(screen.queryByText(/Number too short|not sold here/)).toBeNull();
  });

  it("keeps the caret directly after a digit typed in the middle, although the digits are regrouped", async () => {
    const user = userEvent.setup({ delay: null });
    show();
    await user.keyboard("5025123");
    const field = screen.getByRole<HTMLInputElement>("textbox");
    await user.type(field, "9", { initialSelectionStart: 1, initialSelectionEnd: 1 });
    expect(phoneDigits(field.value)).toBe("59025123");
    expect(phoneDigits(field.value.slice(0, field.selectionStart ?? 0))).toBe("59");
  });
});
