import { describe, expect, it } from "vitest";
import { monogramColors, monogramText } from "./monogram.ts";

describe("brand monogram", () => {
  it("takes two initials, or the first two letters of a single word", () => {
    expect(monogramText("Tigo")).toBe("Ti");
    expect(monogramText("AT&T Mexico")).toBe("AM");
    expect(monogramText("T-Mobile")).toBe("TM");
    expect(monogramText("МегаФон")).toBe("Ме");
    expect(monogramText("")).toBe("");
  });

  it("writes black or white, whichever reads better on the brand's colour", () => {
    expect(monogramColors("#00377b")).toEqual({ background: "#00377b", color: "#ffffff" });
    expect(monogramColors("#ffcc00")).toEqual({ background: "#ffcc00", color: "#000000" });
    expect(monogramColors("")).toEqual({});
  });
});
