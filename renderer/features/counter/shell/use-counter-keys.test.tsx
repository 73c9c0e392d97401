import { useLayoutEffect, useReducer } from "react";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { CounterActions } from "./counter-actions.ts";
import type { Counter } from "./use-counter.ts";
import { useCounterKeys } from "./use-counter-keys.ts";

const ACTIONS: CounterActions = { run: () => {}, proceeding: () => {} };

/** A step that waits for an answer before it takes digits; its button gives it. */
/** Called when a step is on the screen, before the browser has done anything else. */
let onShown: (step: string) => void = () => {};
function Step() {
  const [isWaiting, setAnswered] = useReducer(() => false, true);
  const [text, type] = useReducer(
    (old: string, change: (old: string) => string) => change(old),
    "",
  );
  const step = isWaiting ? "carrier" : "number";
  const control = { typing: "number", waits: isWaiting ? "next" : undefined, type };
  const sale = { confirming: false, entry: undefined };
  const counter = { control, state: { sale }, step, fewestDigits: 8 };
  useCounterKeys(counter as unknown as Counter, ACTIONS);
  useLayoutEffect(() => onShown(step), [step]);
  return (
    <>
      <output>{text}</output>
      <button type="button" onClick={() => setTimeout(setAnswered)} />
    </>
  );
}

function press(key: string): void {
  document.body.dispatchEvent(
    new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }),
  );
}

let root: Root;
beforeEach(() => {
  // As in a browser: nothing is rendered before it is its turn.
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", false);
  const page = document.createElement("main");
  document.body.append(page);
  root = createRoot(page);
  root.render(<Step />);
});
afterEach(() => {
  root.unmount();
  document.body.replaceChildren();
  onShown = () => {};
  vi.unstubAllGlobals();
});

it("takes each key once and in its order, also those pressed while it catches up", async () => {
  await vi.waitFor(() => expect(document.querySelector("output")).not.toBeNull());
  await settle();
  press("5");
  press("1");
  await settle();
  onShown = () => queueMicrotask(() => press("0"));
  document.querySelector("button")?.click();
  await settle();
  press("6");
  await settle();
  expect(document.querySelector("output")?.textContent).toBe("5106");
});

/** Lets the page do what it has begun. */
function settle(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, 20);
  });
}
