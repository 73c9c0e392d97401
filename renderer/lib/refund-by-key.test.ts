import { fireEvent, renderHook } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { useRefundByKey } from "../components/customer-refund-action.tsx";
import { runScreenCommand } from "./screen-commands.ts";

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.runAllTimers();
});

function twoOwed() {
  const given: string[] = [];
  renderHook(() => useRefundByKey(() => given.push(`customer ${given.length + 1}`), true));
  return given;
}

it("a quick second press refunds nothing", () => {
  const given = twoOwed();
  runScreenCommand("customer-refund");
  fireEvent.keyDown(document, { key: "Alt", code: "AltLeft" });
  fireEvent.keyDown(document, { key: "g", code: "KeyG", altKey: true });
  runScreenCommand("customer-refund");
  vi.advanceTimersByTime(1000);
  runScreenCommand("customer-refund");
  expect(given).toEqual(["customer 1"]);
});

it("a later press refunds the next customer", () => {
  const given = twoOwed();
  runScreenCommand("customer-refund");
  vi.advanceTimersByTime(1500);
  runScreenCommand("customer-refund");
  expect(given).toEqual(["customer 1", "customer 2"]);
});

it.each([
  ["another key", () => fireEvent.keyDown(document, { key: "F6", code: "F6" })],
  ["a touch", () => fireEvent.pointerDown(document)],
])("a press after %s refunds the next customer", (_, press) => {
  const given = twoOwed();
  runScreenCommand("customer-refund");
  press();
  runScreenCommand("customer-refund");
  expect(given).toEqual(["customer 1", "customer 2"]);
});
