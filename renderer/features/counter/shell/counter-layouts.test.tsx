import { fireEvent, screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { readKey } from "../../../lib/key-meaning.ts";
import { listAttempts } from "../sale/attempt/attempt-store.ts";
import { openAgain, show, standInForGateway } from "../testing/counter-till.tsx";
import { gateway } from "../testing/gateway-stand-in.ts";

standInForGateway();

const NO_MODIFIERS = {
  altKey: false,
  ctrlKey: false,
  metaKey: false,
  shiftKey: false,
  isAltGraph: false,
  isComposing: false,
  keyCode: 0,
};

type Pressed = Partial<KeyboardEventInit> & { readonly key: string };

/** A key where the focus is; a browser writes nothing by itself for it. */
function press(init: Pressed): void {
  const target = document.activeElement ?? document.body;
  fireEvent.keyDown(target, { bubbles: true, cancelable: true, ...init });
}

/** The keypad with NumLock off. */
const OFF = [
  "Insert",
  "End",
  "ArrowDown",
  "PageDown",
  "ArrowLeft",
  "Clear",
  "ArrowRight",
  "Home",
  "ArrowUp",
  "PageUp",
];

function typeOnKeypad(digits: string): void {
  for (const digit of digits) {
    press({ key: OFF[Number(digit)] ?? "", code: `Numpad${digit}` });
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
  it("types its digits into the number, and chooses no customer sold to before", async () => {
    show();
    await screen.findByRole("button", { name: /\+502 5123 4567/ });
    typeOnKeypad("50259998882");
    await waitFor(() => expect(numberField().value.replaceAll(/\D/g, "")).toBe("50259998882"));
    expect(document.activeElement).toBe(numberField());
    expect(document.querySelector("[data-focused=true]")).toBeNull();
    expect(listAttempts()).toEqual([]);
  });

  it("types cash", async () => {
    await openAgain({});
    typeOnKeypad("100");
    expect(cashField().value).toBe("100");
  });
});

describe("a French keyboard", () => {
  it("types digits with its top row, without Shift", async () => {
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
  it("stays untaken by the Enter behind a key that was not understood, and the clerk is told", async () => {
    await openAgain({});
    press({ key: "Dead", code: "BracketLeft" });
    await screen.findByText(UNREAD);
    press({ key: "Enter", code: "Enter" });
    await screen.findByText(UNREAD);
    expect(gateway.sent).toEqual([]);
    press({ key: "Enter", code: "Enter" });
    await waitFor(() => expect(gateway.sent).toHaveLength(1));
  });

  it("stays untaken by the Enter that ends a composition", async () => {
    await openAgain({});
    press({ key: "Enter", code: "Enter", isComposing: true });
    press({ key: "Enter", code: "Enter", keyCode: 229 });
    expect(gateway.sent).toEqual([]);
  });

  it("takes full-width digits as digits", async () => {
    await openAgain({});
    fireEvent.input(cashField(), { target: { value: "１००" } });
    expect(cashField().value).toBe("100");
    expect(screen.queryByText(UNREAD)).toBeNull();
  });

  it("stays untaken where the browser wrote a text that is no amount", async () => {
    await openAgain({});
    fireEvent.input(cashField(), { target: { value: "ñ" } });
    await screen.findByText(UNREAD);
    press({ key: "Enter", code: "Enter" });
    expect(gateway.sent).toEqual([]);
  });
});

describe("a field of an amount that shows what was typed", () => {
  it("is asked by Enter, and says itself what is wrong", () => {
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
  it("is typed as such where a program reports no Shift for it", () => {
    const report = { ...NO_MODIFIERS, key: "%", code: "Digit5" };
    expect(readKey(report, "digits")).toEqual({ kind: "text", text: "%" });
  });
});

describe("characters typed with Alt", () => {
  it("remove nothing from the basket", async () => {
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

  it("leave the line feed of a scanner to nobody: no browser opens its downloads", async () => {
    show();
    await screen.findByRole("button", { name: /\+502 5123 4567/ });
    const isLeft = fireEvent.keyDown(numberField(), { key: "j", code: "KeyJ", ctrlKey: true });
    expect(isLeft).toBe(false);
  });
});
