import { renderHook } from "@testing-library/react";
import { useLayoutEffect, useReducer } from "react";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { useScreenCommand } from "../../../lib/screen-commands.ts";
import type { CounterActions } from "./counter-actions.ts";
import type { Counter } from "./use-counter.ts";
import { useCounterKeys } from "./use-counter-keys.ts";

const run = vi.fn<CounterActions["run"]>();
const ACTIONS: CounterActions = { run, proceeding: () => {} };

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
  const waits = isWaiting ? "next" : undefined;
  const control = { typing: "number", waits, type, proceed: () => {} };
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
  vi.useRealTimers();
  run.mockClear();
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

it("prints with P alone, and takes it for the first letter of a word that goes on at once", async () => {
  renderHook(() => useScreenCommand("print", () => {}));
  await vi.waitFor(() => expect(document.querySelector("output")).not.toBeNull());
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  document.querySelector("button")?.click();
  vi.advanceTimersByTime(1);
  await turn();
  for (const key of "paiz") {
    press(key);
    await turn();
  }
  vi.advanceTimersByTime(1000);
  expect(run).not.toHaveBeenCalled();
  expect(document.querySelector("output")?.textContent).toBe("paiz");
  press("p");
  vi.advanceTimersByTime(300);
  expect(run.mock.calls).toEqual([["print"]]);
  press("p");
  press("Enter");
  expect(run).toHaveBeenCalledTimes(2);
  expect(document.querySelector("output")?.textContent).toBe("paiz");
});

/** Lets the page do what it has begun, with no time passing. */
async function turn(): Promise<void> {
  for (let times = 0; times < 5; times += 1) {
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
  }
}

/** Lets the page do what it has begun. */
function settle(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, 20);
  });
}
