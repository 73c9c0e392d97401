import { beforeEach, expect, it, vi } from "vitest";
import { LoneLetter } from "./lone-letter.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
it("a letter runs its action if no other letter follows", () => {
  const print = vi.fn<() => void>();
  const letter = new LoneLetter();
  letter.press("p", print);
  expect(print).not.toHaveBeenCalled();
  vi.advanceTimersByTime(300);
  expect(print).toHaveBeenCalledTimes(1);
  expect(letter.join()).toBeUndefined();
});

it("a letter starts a word, without its action, if another letter follows at once", () => {
  const print = vi.fn<() => void>();
  const letter = new LoneLetter();
  letter.press("p", print);
  vi.advanceTimersByTime(200);
  expect(letter.join()).toBe("p");
  vi.advanceTimersByTime(1000);
  expect(print).not.toHaveBeenCalled();
});

it("a letter runs its action once per press, and before the action of the next key", () => {
  const done: string[] = [];
  const letter = new LoneLetter();
  letter.press("p", () => done.push("print"));
  letter.press("p", () => done.push("again"));
  letter.settle();
  done.push("F1");
  vi.advanceTimersByTime(1000);
  expect(done).toEqual(["print", "again", "F1"]);
});

it("a letter belongs to a word if another letter came shortly before", () => {
  const print = vi.fn<() => void>();
  const letter = new LoneLetter();
  expect(letter.isInWord(0, 1000)).toBe(false);
  letter.press("p", print);
  letter.pass(5000);
  vi.advanceTimersByTime(1000);
  expect(print).not.toHaveBeenCalled();
  expect([letter.isInWord(5900, 1000), letter.isInWord(6001, 1000)]).toEqual([true, false]);
});
