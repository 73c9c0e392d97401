import { renderHook } from "@testing-library/react";
import { useLayoutEffect, useReducer } from "react";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { useScreenCommand } from "../../../lib/screen-commands.ts";
import type { CounterActions } from "./press-key.ts";
import type { Counter } from "./use-counter.ts";
import { useCounterKeys } from "./use-counter-keys.ts";

const run = vi.fn<CounterActions["run"]>();
const ACTIONS: CounterActions = { run, proceeding: () => {} };

/** Called when a step is visible, before the browser does any other work. */
let onShown: (step: string) => void = () => {};

/** A step that takes digits only after an answer. Its button simulates the answer. */
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
let now = 0;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  vi.spyOn(Event.prototype, "timeStamp", "get").mockImplementation(() => now);
  // Lets components render in later turns of the event loop, as in a browser.
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", false);
  const page = document.createElement("main");
  document.body.append(page);
  root = createRoot(page);
  root.render(<Step />);
});
afterEach(() => {
  run.mockClear();
  root.unmount();
  document.body.replaceChildren();
  onShown = () => {};
});

it("the counter handles each key once and in order, even while it replays earlier keys", async () => {
  await turn();
  press("5");
  press("1");
  await turn();
  onShown = () => queueMicrotask(() => press("0"));
  document.querySelector("button")?.click();
  pass(1);
  await turn();
  press("6");
  await turn();
  expect(document.querySelector("output")?.textContent).toBe("5106");
});

it("the counter prints after P alone, and types P if another letter follows at once", async () => {
  renderHook(() => useScreenCommand("print", () => {}));
  await turn();
  document.querySelector("button")?.click();
  pass(1);
  await turn();
  for (const key of "paiz") {
    press(key);
    await turn();
  }
  pass(1000);
  expect(run).not.toHaveBeenCalled();
  expect(document.querySelector("output")?.textContent).toBe("paiz");
  press("p");
  pass(300);
  expect(run.mock.calls).toEqual([["print"]]);
  press("p");
  press("Enter");
  expect(run).toHaveBeenCalledTimes(2);
  expect(document.querySelector("output")?.textContent).toBe("paiz");
});

function pass(milliseconds: number): void {
  now += milliseconds;
  vi.advanceTimersByTime(milliseconds);
}

/** Runs the work that React has scheduled. */
async function turn(): Promise<void> {
  for (let times = 0; times < 20; times += 1) {
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
  }
}
