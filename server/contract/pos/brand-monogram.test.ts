import { describe, expect, it } from "vitest";
import { inkOn, monogramText } from "./brand-monogram.ts";

describe("brand monogram", () => {
  it("takes two initials, or the first two letters of a single word", () => {
    expect(monogramText("Tigo")).toBe("Ti");
    expect(monogramText("AT&T Mexico")).toBe("AM");
    expect(monogramText("T-Mobile")).toBe("TM");
    expect(monogramText("МегаФон")).toBe("Ме");
    expect(monogramText("")).toBe("");
  });

  it("is black or white, whichever reads better on the brand's colour", () => {
    expect(inkOn("#00377b")).toBe("#ffffff");
    expect(inkOn("#ffcc00")).toBe("#000000");
    expect(inkOn("")).toBeUndefined();
  });
});
