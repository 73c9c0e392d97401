import { describe, expect, it } from "vitest";
import { aboutAtMost } from "./wallet-short.ts";

describe("an approximate amount", () => {
  it.each([
    [0, 0],
    [-5, 0],
    [99, 99],
    [154_92, 150_00],
    [999_99, 990_00],
    [1_000_00, 1_000_00],
  ])("shows %i as %i", (exact, about) => {
    expect(aboutAtMost(exact)).toBe(about);
  });
});
