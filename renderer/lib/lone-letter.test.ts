import { beforeEach, expect, it, vi } from "vitest";
import { LoneLetter } from "./lone-letter.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
it("does what it does where nothing follows", () => {
  const print = vi.fn<() => void>();
  const letter = new LoneLetter();
  letter.press("p", print);
  expect(print).not.toHaveBeenCalled();
  vi.advanceTimersByTime(300);
  expect(print).toHaveBeenCalledTimes(1);
  expect(letter.join()).toBeUndefined();
});

it("is the first of a word where another letter follows at once, and does nothing", () => {
  const print = vi.fn<() => void>();
  const letter = new LoneLetter();
  letter.press("p", print);
  vi.advanceTimersByTime(200);
  expect(letter.join()).toBe("p");
  vi.advanceTimersByTime(1000);
  expect(print).not.toHaveBeenCalled();
});

it("does it once for each press, and before what another key does", () => {
  const done: string[] = [];
  const letter = new LoneLetter();
  letter.press("p", () => done.push("print"));
  letter.press("p", () => done.push("again"));
  letter.settle();
  done.push("F1");
  vi.advanceTimersByTime(1000);
  expect(done).toEqual(["print", "again", "F1"]);
});

it("is a part of a word where another letter came shortly before", () => {
  const print = vi.fn<() => void>();
  const letter = new LoneLetter();
  expect(letter.isInWord(0, 1000)).toBe(false);
  letter.press("p", print);
  letter.pass(5000);
  vi.advanceTimersByTime(1000);
  expect(print).not.toHaveBeenCalled();
  expect([letter.isInWord(5900, 1000), letter.isInWord(6001, 1000)]).toEqual([true, false]);
});
