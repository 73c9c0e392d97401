import { expect, it } from "vitest";
import { foldLetters } from "./search-text.ts";

it("a search finds words with accents, capitals and soft hyphens", () => {
  expect(foldLetters("Adminis\u00ADtración")).toBe("administracion");
});
