import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { followKeyHints, HELD_MS } from "./key-hints.ts";

const root = document.documentElement;
let stop: () => void;
beforeEach(() => {
  vi.useFakeTimers();
  stop = followKeyHints(root, "keys");
});
afterEach(() => {
  stop();
  vi.useRealTimers();
  document.body.replaceChildren();
});

const send = (type: string, key: string, on: EventTarget = document.body) =>
  on.dispatchEvent(new KeyboardEvent(type, { key, bubbles: true }));
const press = (key: string, on?: EventTarget) => send("keydown", key, on);
/** jsdom has no pointer events of its own. */
const point = (pointerType: string) =>
  document.body.dispatchEvent(
    Object.assign(new Event("pointerdown", { bubbles: true }), { pointerType }),
  );
const shown = () => root.dataset.keys;

it("controls show their shortcuts while Alt is held, and hide them when Alt is released", () => {
  press("Alt");
  expect(shown()).toBeUndefined();
  vi.advanceTimersByTime(HELD_MS);
  expect(shown()).toBe("held");
  send("keyup", "Alt");
  expect(shown()).toBeUndefined();
});

it("an Alt shortcut pressed quickly shows no keys", () => {
  press("Alt");
  press("b");
  vi.advanceTimersByTime(HELD_MS);
  expect(shown()).toBeUndefined();
});

it("digits on tiles disappear after a touch and return after a key", () => {
  point("mouse");
  expect(shown()).toBeUndefined();
  point("touch");
  expect(shown()).toBe("off");
  point("mouse");
  expect(shown()).toBe("off");
  press("F2");
  expect(shown()).toBeUndefined();
  point("pen");
  expect(shown()).toBe("off");
});

it("letters that an on-screen keyboard types into a field do not show the digits again", () => {
  const field = document.body.appendChild(document.createElement("input"));
  point("touch");
  for (const key of ["a", "5", "Enter", "Backspace", "Unidentified"]) {
    press(key, field);
  }
  expect(shown()).toBe("off");
  press("5");
  expect(shown()).toBeUndefined();
  point("touch");
  press("ArrowDown", field);
  expect(shown()).toBeUndefined();
});

it("a touch device starts without digits on tiles", () => {
  stop();
  stop = followKeyHints(root, "touch");
  expect(shown()).toBe("off");
  press("Escape");
  expect(shown()).toBeUndefined();
});
