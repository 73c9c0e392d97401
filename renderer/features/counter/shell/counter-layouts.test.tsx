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

/** Presses a key at the focus. Unlike a browser, it writes no character. */
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
  it("a keypad with NumLock off types into the number and selects no earlier customer", async () => {
    show();
    await screen.findByRole("button", { name: /\+502 5123 4567/ });
    typeOnKeypad("50259998882");
    await waitFor(() => expect(numberField().value.replaceAll(/\D/g, "")).toBe("50259998882"));
    expect(document.activeElement).toBe(numberField());
    expect(document.querySelector("[data-focused=true]")).toBeNull();
    expect(listAttempts()).toEqual([]);
  });

  it("a keypad with NumLock off types cash", async () => {
    await openAgain({});
    typeOnKeypad("100");
    expect(cashField().value).toBe("100");
  });
});

describe("a French keyboard", () => {
  it("the top row of a French keyboard types digits without Shift", async () => {
    show();
    await screen.findByRole("button", { name: /\+502 5123 4567/ });
    const row = "à&é\"'(-è_ç";
    for (const digit of "51239999") {
      press({ key: row[Number(digit)] ?? "", code: `Digit${digit}` });
    }
    await waitFor(() => expect(numberField().value.replaceAll(/\D/g, "")).toBe("51239999"));
  });
});

describe("cash", () => {
  it("Enter takes no cash after an unreadable key, and the till says why", async () => {
    await openAgain({});
    press({ key: "Dead", code: "BracketLeft" });
    await screen.findByText(UNREAD);
    press({ key: "Enter", code: "Enter" });
    await screen.findByText(UNREAD);
    expect(gateway.sent).toEqual([]);
    press({ key: "Enter", code: "Enter" });
    await waitFor(() => expect(gateway.sent).toHaveLength(1));
  });

  it("a press of the payment button takes no cash after an unreadable key, and the till says why", async () => {
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

  it("a note pressed after an unreadable key is accepted as cash", async () => {
    const user = userEvent.setup();
    await openAgain({});
    press({ key: "Dead", code: "BracketLeft" });
    await screen.findByText(UNREAD);
    await user.click(screen.getAllByRole("button", { name: /100/ })[0] as HTMLElement);
    await waitFor(() => expect(screen.queryByText(UNREAD)).toBeNull());
  });

  it("the Enter that ends a composition takes no cash", async () => {
    await openAgain({});
    press({ key: "Enter", code: "Enter", isComposing: true });
    press({ key: "Enter", code: "Enter", keyCode: 229 });
    expect(gateway.sent).toEqual([]);
  });

  it("the cash field reads full-width digits", async () => {
    await openAgain({});
    fireEvent.input(cashField(), { target: { value: "１००" } });
    expect(cashField().value).toBe("100");
    expect(screen.queryByText(UNREAD)).toBeNull();
  });

  it("Enter takes no cash after a text that is not an amount", async () => {
    await openAgain({});
    fireEvent.input(cashField(), { target: { value: "ñ" } });
    await screen.findByText(UNREAD);
    press({ key: "Enter", code: "Enter" });
    expect(gateway.sent).toEqual([]);
  });
});

describe("amount field with unreadable text", () => {
  it("Enter reaches a field that shows an unreadable amount", () => {
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

describe("a percentage", () => {
  it("a percent sign reported without Shift stays a percent sign", () => {
    const report = { ...PLAIN_KEY, key: "%", code: "Digit5" };
    expect(readKey(report, "digits")).toEqual({ kind: "text", text: "%" });
  });
});

describe("characters typed with Alt", () => {
  it("characters typed with Alt remove nothing from the basket", async () => {
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

  it("the line feed of a scanner opens no downloads", async () => {
    show();
    await screen.findByRole("button", { name: /\+502 5123 4567/ });
    const isLeft = fireEvent.keyDown(numberField(), { key: "j", code: "KeyJ", ctrlKey: true });
    expect(isLeft).toBe(false);
  });
});
