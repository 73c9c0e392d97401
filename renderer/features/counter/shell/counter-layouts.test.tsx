import { fireEvent, screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { readKey } from "../../../lib/key-meaning.ts";
import { KEYPAD_KEYS, PLAIN_KEY } from "../../../lib/testing/key-reports.ts";
import { listAttempts } from "../sale/attempt/attempt-store.ts";
import { openAgain, show, standInForGateway } from "../testing/counter-till.tsx";
import { gateway } from "../testing/gateway-stand-in.ts";

standInForGateway();

type Pressed = Partial<KeyboardEventInit> & { readonly key: string };

/** Dispatches a key event, which types no character, unlike a real key. */
function press(init: Pressed): void {
  const target = document.activeElement ?? document.body;
  fireEvent.keyDown(target, { bubbles: true, cancelable: true, ...init });
}

function typeOnKeypad(digits: string): void {
  for (const digit of digits) {
    press({ key: KEYPAD_KEYS[Number(digit)] ?? "", code: `Numpad${digit}` });
  }
}

function numberField() {
  return screen.getByRole<HTMLInputElement>("textbox", { name: /number/i });
}

function cashField() {
  return screen.getByRole<HTMLInputElement>("textbox", { name: /Cash/ });
}

const UNREAD = /key was pressed that is not a digit/;

describe("a keypad with NumLock off", () => {
  it("types into the number field, and does not select an earlier customer", async () => {
    show();
    await screen.findByRole("button", { name: /\+502 5123 4567/ });
    typeOnKeypad("50259998882");
    await waitFor(() => expect(numberField().value.replaceAll(/\D/g, "")).toBe("50259998882"));
    expect(document.activeElement).toBe(numberField());
    expect(document.querySelector("[data-focused=true]")).toBeNull();
    expect(listAttempts()).toEqual([]);
  });

  it("types digits into the cash field", async () => {
    await openAgain({});
    typeOnKeypad("100");
    expect(cashField().value).toBe("100");
  });
});

describe("a French keyboard", () => {
  it("types digits with the unshifted top row", async () => {
    show();
    await screen.findByRole("button", { name: /\+502 5123 4567/ });
    const row = "à&é\"'(-è_ç";
    for (const digit of "51239999") {
      press({ key: row[Number(digit)] ?? "", code: `Digit${digit}` });
    }
    await waitFor(() => expect(numberField().value.replaceAll(/\D/g, "")).toBe("51239999"));
  });
});

describe("cash payment", () => {
  it("takes no cash on Enter after an unreadable key, and the till states the reason", async () => {
    await openAgain({});
    press({ key: "Dead", code: "BracketLeft" });
    await screen.findByText(UNREAD);
    press({ key: "Enter", code: "Enter" });
    await screen.findByText(UNREAD);
    expect(gateway.sent).toEqual([]);
    press({ key: "Enter", code: "Enter" });
    await waitFor(() => expect(gateway.sent).toHaveLength(1));
  });

  it("takes no cash on the payment button after an unreadable key, and the till states the reason", async () => {
    const user = userEvent.setup();
    await openAgain({});
    press({ key: "Dead", code: "BracketLeft" });
    await user.click(document.body);
    await user.click(screen.getByRole("button", { name: /^Take payment/ }));
    await screen.findByText(UNREAD);
    expect(gateway.sent).toEqual([]);
    fireEvent.click(screen.getByRole("button", { name: /^Take payment/ }));
    await waitFor(() => expect(gateway.sent).toHaveLength(1));
  });

  it("accepts a proposed note that is pressed after an unreadable key", async () => {
    const user = userEvent.setup();
    await openAgain({});
    press({ key: "Dead", code: "BracketLeft" });
    await screen.findByText(UNREAD);
    await user.click(screen.getAllByRole("button", { name: /100/ })[0] as HTMLElement);
    await waitFor(() => expect(screen.queryByText(UNREAD)).toBeNull());
  });

  it("takes no cash on the Enter that ends an IME composition", async () => {
    await openAgain({});
    press({ key: "Enter", code: "Enter", isComposing: true });
    press({ key: "Enter", code: "Enter", keyCode: 229 });
    expect(gateway.sent).toEqual([]);
  });

  it("reads full-width digits", async () => {
    await openAgain({});
    fireEvent.input(cashField(), { target: { value: "１००" } });
    expect(cashField().value).toBe("100");
    expect(screen.queryByText(UNREAD)).toBeNull();
  });

  it("takes no cash on Enter after a text that is not an amount", async () => {
    await openAgain({});
    fireEvent.input(cashField(), { target: { value: "ñ" } });
    await screen.findByText(UNREAD);
    press({ key: "Enter", code: "Enter" });
    expect(gateway.sent).toEqual([]);
  });
});

describe("amount field", () => {
  it("receives Enter, even while its text is no amount", () => {
    const field = document.createElement("input");
    field.inputMode = "decimal";
    document.body.append(field);
    field.focus();
    try {
      fireEvent.input(field, { target: { value: "seven" } });
      expect(fireEvent.keyDown(field, { key: "Enter", code: "Enter" })).toBe(true);
      fireEvent.input(field, { target: { value: "7" } });
      expect(fireEvent.keyDown(field, { key: "Enter", code: "Enter" })).toBe(true);
    } finally {
      field.remove();
    }
  });
});

describe("percent key", () => {
  it("types a percent sign even if the browser reports no Shift", () => {
    const report = { ...PLAIN_KEY, key: "%", code: "Digit5" };
    expect(readKey(report, "digits")).toEqual({ kind: "text", text: "%" });
  });
});

describe("characters typed with Alt or Ctrl", () => {
  it("remove nothing from the basket while Alt is held", async () => {
    const user = userEvent.setup();
    await openAgain({});
    await user.keyboard("+");
    await waitFor(() => expect(listAttempts()[0]?.openLine).toBeUndefined());
    await waitFor(() => expect(document.activeElement).toBe(numberField()));
    for (const digit of "164") {
      press({ key: digit, code: `Numpad${digit}`, altKey: true });
    }
    press({ key: "¡", code: "Digit1", altKey: true });
    expect(listAttempts()[0]?.lines).toHaveLength(1);
    press({ key: "1", code: "Digit1", altKey: true });
    await waitFor(() => expect(listAttempts()).toEqual([]));
  });

  it("open no downloads if a scanner sends a line feed as Ctrl+J", async () => {
    show();
    await screen.findByRole("button", { name: /\+502 5123 4567/ });
    const isLeft = fireEvent.keyDown(numberField(), { key: "j", code: "KeyJ", ctrlKey: true });
    expect(isLeft).toBe(false);
  });
});
