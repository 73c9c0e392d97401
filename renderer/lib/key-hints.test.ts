import { afterEach, beforeEach, expect, it } from "vitest";
import { followKeyHints } from "./key-hints.ts";

const root = document.documentElement;
let stop: () => void;
beforeEach(() => {
  stop = followKeyHints(root, "keys");
});
afterEach(() => {
  stop();
  document.body.replaceChildren();
});

const press = (key: string, on: EventTarget = document.body) =>
  on.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
/** Builds a pointer event, which jsdom lacks. */
const point = (pointerType: string) =>
  document.body.dispatchEvent(
    Object.assign(new Event("pointerdown", { bubbles: true }), { pointerType }),
  );
const areShown = () => root.dataset.keys !== "off";

it("key hints are shown while a keyboard or mouse is used, and hidden by a touch", () => {
  expect(areShown()).toBe(true);
  point("mouse");
  expect(areShown()).toBe(true);
  point("touch");
  expect(areShown()).toBe(false);
  point("mouse");
  expect(areShown()).toBe(false);
  press("F2");
  expect(areShown()).toBe(true);
  point("pen");
  expect(areShown()).toBe(false);
});

it("letters of an on-screen keyboard do not show key hints", () => {
  const field = document.body.appendChild(document.createElement("input"));
  point("touch");
  for (const key of ["a", "5", "Enter", "Backspace", "Unidentified"]) {
    press(key, field);
  }
  expect(areShown()).toBe(false);
  press("5");
  expect(areShown()).toBe(true);
  point("touch");
  press("ArrowDown", field);
  expect(areShown()).toBe(true);
});

it("a touch device starts without key hints", () => {
  stop();
  stop = followKeyHints(root, "touch");
  expect(areShown()).toBe(false);
  press("Escape");
  expect(areShown()).toBe(true);
});
