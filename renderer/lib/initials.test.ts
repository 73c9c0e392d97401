import { expect, it } from "vitest";
import { initialsOf } from "./initials.ts";

it("initials are two letters, the first two of a single name", () => {
  expect(initialsOf("Rosa")).toBe("Ro");
  expect(initialsOf("Ana María")).toBe("AM");
  expect(initialsOf("Jean-Luc")).toBe("JL");
  expect(initialsOf("Мария")).toBe("Ма");
  expect(initialsOf("")).toBe("");
});
