import { describe, expect, it } from "vitest";
import { pickLocale } from "./use-format.ts";

describe("the locale of a shop", () => {
  it("equals the system's locale of the till's language", () => {
    expect(pickLocale("es", "GTQ", ["en-GB", "es-MX"])).toBe("es-MX");
  });

  it("combines the language and the currency's country if the system has another language", () => {
    expect(pickLocale("es", "GTQ", ["en-GB"])).toBe("es-GT");
    expect(pickLocale("fr", "", [])).toBe("fr");
  });

  it("works in every formatter, even if the browser reports an invalid language", () => {
    const locale = pickLocale("en", "USD", ["en-US@posix"]);
    expect(locale).toBe("en-US");
    expect(() => new Intl.NumberFormat(locale)).not.toThrow();
  });
});
