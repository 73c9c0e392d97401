import { describe, expect, it } from "vitest";
import { pickLocale } from "./use-format.ts";

describe("the locale of a shop", () => {
  it("is what the system says of the till's language", () => {
    expect(pickLocale("es", "GTQ", ["en-GB", "es-MX"])).toBe("es-MX");
  });

  it("is the language in the country of the currency, where the system speaks another", () => {
    expect(pickLocale("es", "GTQ", ["en-GB"])).toBe("es-GT");
    expect(pickLocale("fr", "", [])).toBe("fr");
  });

  it("is never a tag that no formatter takes", () => {
    const locale = pickLocale("en", "USD", ["en-US@posix"]);
    expect(locale).toBe("en-US");
    expect(() => new Intl.NumberFormat(locale)).not.toThrow();
  });
});
