import { act, fireEvent, renderHook } from "@testing-library/react";
import { beforeEach, expect, it, vi } from "vitest";
import { useIdleLock } from "./account.tsx";

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("fetch", async () => Response.json({}));
});
function idle(minutes: number) {
  const lock = vi.fn<() => void>();
  const { result } = renderHook(() => useIdleLock(minutes, lock));
  return { lock, left: () => result.current };
}

function pass(seconds: number): void {
  act(() => {
    vi.advanceTimersByTime(seconds * 1000);
  });
}

it("the idle lock warns for 20 seconds before it locks, with a countdown", () => {
  const { lock, left } = idle(3);
  pass(159);
  expect(left()).toBeUndefined();
  pass(1);
  expect(left()).toBe(20);
  pass(19);
  expect(left()).toBe(1);
  expect(lock).not.toHaveBeenCalled();
  pass(1);
  expect(lock).toHaveBeenCalledOnce();
  expect(left()).toBeUndefined();
});

it("any key during the warning restarts the whole idle time", () => {
  const { lock, left } = idle(3);
  pass(170);
  expect(left()).toBe(10);
  act(() => void fireEvent.keyDown(document.body, { key: "Shift" }));
  expect(left()).toBeUndefined();
  pass(159);
  expect(left()).toBeUndefined();
  expect(lock).not.toHaveBeenCalled();
  pass(21);
  expect(lock).toHaveBeenCalledOnce();
});

it("an Enter that dismisses the warning has no other effect, but a digit is also typed", () => {
  const heard: string[] = [];
  const listener = (event: KeyboardEvent) => heard.push(event.key);
  document.addEventListener("keydown", listener);
  idle(3);
  pass(170);
  fireEvent.keyDown(document.body, { key: "Enter" });
  fireEvent.keyDown(document.body, { key: "Enter" });
  pass(170);
  fireEvent.keyDown(document.body, { key: "5" });
  document.removeEventListener("keydown", listener);
  expect(heard).toEqual(["Enter", "5"]);
});

it("input in another window of the till dismisses the warning", () => {
  const { lock, left } = idle(3);
  pass(165);
  expect(left()).toBe(15);
  localStorage.setItem("tillgate.touched", String(Date.now()));
  pass(1);
  expect(left()).toBeUndefined();
  pass(30);
  expect(lock).not.toHaveBeenCalled();
});
