import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { PrintOptions } from "../../../../electron/ipc/ipc-map.ts";
import { changePrintSettings } from "../../../lib/print-settings.ts";
import { printBlocks } from "./print-receipt.tsx";

const PIXELS_PER_MM = 96 / 25.4;

let asked: PrintOptions[] = [];
/** Answers of the desktop program, in order; the last one is repeated. */
let answers: Promise<{ printed: boolean }>[] = [];

beforeEach(() => {
  vi.useFakeTimers();
  asked = [];
  vi.stubGlobal("tillgate", {
    printers: async () => [{ name: "receipts", displayName: "receipts" }],
    print: (options: PrintOptions) => {
      asked.push(options);
      return answers[Math.min(asked.length, answers.length) - 1];
    },
  });
  changePrintSettings({ paper: "80mm" });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const print = () =>
  printBlocks({ blocks: [], language: "en", draw: () => <p>Paper</p> }, undefined, undefined);

it("a desktop print that never ends fails after a minute, and the next print succeeds", async () => {
  answers = [new Promise(() => {}), Promise.resolve({ printed: true })];
  const [hanging, next] = [print(), print()];
  await vi.advanceTimersByTimeAsync(59_000);
  expect(asked).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(await hanging).toEqual({ printed: false, reason: "NO_ANSWER", begun: true });
  expect(await next).toEqual({ printed: true, begun: true });
  expect(document.querySelector("[data-print-sheet]")).toBeNull();
});

it.each([
  [40, 80],
  [400, 402],
  [3_000, 1_500],
])("a receipt of %i mm has a page of %i mm, which drivers accept", async (length, page) => {
  answers = [Promise.resolve({ printed: true })];
  const height = length * PIXELS_PER_MM;
  vi.spyOn(HTMLElement.prototype, "getBoundingClientRect").mockReturnValue({ height } as DOMRect);
  const printed = print();
  await vi.advanceTimersByTimeAsync(10);
  expect(await printed).toMatchObject({ printed: true });
  expect(asked[0]).toMatchObject({ paperWidthMm: 80, paperHeightMm: page });
});
