import { describe, expect, it } from "vitest";
import { offerContents, offerTitle } from "./offer-title.ts";

describe("the contents of an offer", () => {
  it("come from the title of a bundle or data pack", () => {
    for (const title of ["3 GB, 30 days", "500 MB, 1 day", "100 SMS", "2 GB · 7 days"]) {
      expect(offerContents(title)).toBe(title);
    }
  });

  it("do not exist for a plain top-up, which has only an amount", () => {
    for (const title of ["25 GTQ", "Top-up 50 GTQ", "17.65 to 353.00 AED", "GTQ 25", "1,000 JPY"]) {
      expect(offerContents(title)).toBeUndefined();
    }
  });
});

it("offerTitle keeps a number beside its Arabic unit after a Latin brand", () => {
  expect(offerTitle("Tigo", "15 غيغابايت", "ar")).toBe(
    "\u2067\u2068Tigo\u2069 \u206815 غيغابايت\u2069\u2069",
  );
  expect(offerTitle("Tigo", "15 Go", "fr")).toBe("Tigo 15 Go");
  expect(offerTitle("Tigo", "Tigo 25", "fr")).toBe("Tigo 25");
});
