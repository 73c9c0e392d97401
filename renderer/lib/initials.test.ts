import { expect, it } from "vitest";
import { initialsOf } from "./initials.ts";

it("initials are the first letters of two words, or the first two letters of a single name", () => {
  expect(initialsOf("Rosa")).toBe("Ro");
  expect(initialsOf("Ana María")).toBe("AM");
  expect(initialsOf("Jean-Luc")).toBe("JL");
  expect(initialsOf("Мария")).toBe("Ма");
  expect(initialsOf("")).toBe("");
});
