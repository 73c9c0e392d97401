import { act, renderHook } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { getPaperWidth, setPaperWidth, usePaperWidth, widthMm } from "./paper-width.ts";

beforeEach(() => {
  localStorage.clear();
});

test("the usual paper until this device says otherwise, and then for good", () => {
  expect(getPaperWidth()).toBe("80mm");
  setPaperWidth("58mm");
  expect(getPaperWidth()).toBe("58mm");
  expect(widthMm(getPaperWidth())).toBe(58);
});

test("what is kept and is no paper is the usual paper", () => {
  localStorage.setItem("tillgate.paper-width", "A4");
  expect(getPaperWidth()).toBe("80mm");
});

test("whoever shows the choice sees it change", () => {
  const { result } = renderHook(() => usePaperWidth());
  expect(result.current[0]).toBe("80mm");
  act(() => result.current[1]("58mm"));
  expect(result.current[0]).toBe("58mm");
});
