import { expect, it } from "vitest";
import { getLeakTracker } from "./leaks.ts";

const tracker = getLeakTracker();
const listener = () => undefined;

function leaksOf(plant: () => void): readonly string[] {
  const mark = tracker.mark();
  plant();
  return tracker.takeLeaks(mark).map((leak) => leak.split("\n")[0] ?? "");
}

it.each<[string, string, () => void]>([
  ["a timeout", "setTimeout(…, 60000)", () => setTimeout(listener, 60_000)],
  ["an interval", "setInterval(…, 60000)", () => setInterval(listener, 60_000)],
  ["an animation frame", "requestAnimationFrame", () => requestAnimationFrame(listener)],
  [
    "a window listener",
    'listener of "resize" on window',
    () => addEventListener("resize", listener),
  ],
  [
    "a listener on the default view",
    'listener of "resize" on window',
    () => document.defaultView?.addEventListener("resize", listener),
  ],
  [
    "a document listener",
    'listener of "keydown" on document',
    () => document.addEventListener("keydown", listener, { capture: true }),
  ],
  [
    "a body listener",
    'listener of "click" on <body>',
    () => document.body.addEventListener("click", listener),
  ],
  [
    "a one-time listener that was not called",
    'listener of "afterprint" on window',
    () => window.addEventListener("afterprint", listener, { once: true }),
  ],
  [
    "a media query listener",
    'listener of "change" on media query "(hover: none)"',
    () => matchMedia("(hover: none)").addEventListener("change", listener),
  ],
  [
    "a node in the body",
    "node in <body>: <p>left</p>",
    () => {
      const node = document.createElement("p");
      node.textContent = "left";
      document.body.append(node);
    },
  ],
  [
    "a style in the head",
    "node in <head>: <style></style>",
    () => document.head.append(document.createElement("style")),
  ],
])("the leak tracker reports %s", (_name, leak, plant) => {
  expect(leaksOf(plant)).toEqual([leak]);
  expect(leaksOf(() => undefined)).toEqual([]);
});

it("the leak tracker reports the code that created a leak", () => {
  const mark = tracker.mark();
  setTimeout(listener, 60_000);
  expect(tracker.takeLeaks(mark)).toEqual([expect.stringContaining("leaks.test.ts")]);
});

it("the leak tracker reports nothing that was created before the mark", () => {
  const timer = setTimeout(listener, 60_000);
  expect(leaksOf(() => undefined)).toEqual([]);
  clearTimeout(timer);
});

it("the leak tracker reports no timer that was cleared or that ran", async () => {
  const mark = tracker.mark();
  clearTimeout(setTimeout(listener, 60_000));
  clearInterval(setInterval(listener, 60_000));
  cancelAnimationFrame(requestAnimationFrame(listener));
  await new Promise((resolve) => {
    setTimeout(resolve);
  });
  expect(tracker.takeLeaks(mark)).toEqual([]);
});

it("the leak tracker reports no listener that was removed, aborted or called once", () => {
  const leaks = leaksOf(() => {
    addEventListener("resize", listener, true);
    document.defaultView?.removeEventListener("resize", listener, { capture: true });
    const { signal, abort } = abortable();
    document.addEventListener("keydown", listener, { signal });
    abort();
    addEventListener("afterprint", listener, { once: true });
    window.dispatchEvent(new Event("afterprint"));
  });
  expect(leaks).toEqual([]);
});

function abortable() {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort() };
}

it("the leak tracker reports a capturing listener although its bubbling counterpart was removed", () => {
  const leaks = leaksOf(() => {
    document.addEventListener("keydown", listener, true);
    document.addEventListener("keydown", listener);
    document.removeEventListener("keydown", listener);
  });
  expect(leaks).toEqual(['listener of "keydown" on document']);
});

it("the leak tracker removes the listeners that it reports", () => {
  let calls = 0;
  leaksOf(() => addEventListener("resize", () => calls++));
  window.dispatchEvent(new Event("resize"));
  expect(calls).toBe(0);
});
