import fc from "fast-check";
import { getCountries, getExampleNumber, parsePhoneNumberFromString } from "libphonenumber-js/min";
import examples from "libphonenumber-js/mobile/examples";
import { describe, expect, it } from "vitest";
import {
  caretAfterDigits,
  groupPhone,
  groupTyped,
  mayBeLocal,
  numberProblem,
  phoneDigits,
  typedNumber,
} from "./phone-format.ts";

describe("phone format", () => {
  it("groups a number while it is typed, and determines the country early", () => {
    expect(groupPhone("")).toEqual({ formatted: "", country: undefined });
    expect(groupPhone("502").country).toBe("GT");
    expect(groupPhone("50251234567")).toEqual({ formatted: "+502 5123 4567", country: "GT" });
  });

  it("parses pasted numbers", () => {
    expect(phoneDigits("+502 5123-4567")).toBe("50251234567");
    expect(phoneDigits("00502 51234567")).toBe("50251234567");
    expect(phoneDigits("1".repeat(20))).toHaveLength(15);
  });

  it("never loses or invents a digit", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[1-9]\d{0,14}$/), (digits) => {
        expect(phoneDigits(groupPhone(digits).formatted)).toBe(digits);
      }),
    );
  });

  it("reports missing, excess or wrong digits", () => {
    expect(numberProblem("5025123")).toBe("incomplete");
    expect(numberProblem("1212555123456")).toBe("tooLong");
    expect(numberProblem("50201234567")).toBe("unknown");
  });

  it("keeps the caret after the same digit", () => {
    expect(caretAfterDigits("+502 5123", 3)).toBe(4);
    expect(caretAfterDigits("+502 5123", 4)).toBe(6);
    expect(caretAfterDigits("+502 5123", 7)).toBe(9);
    expect(caretAfterDigits("+502 5123", 0)).toBe(1);
    expect(caretAfterDigits("5123 4567", 0)).toBe(0);
  });
});

describe("a number typed in a shop", () => {
  it.each([
    ["5123 4567", "51234567"],
    ["+502 5123-4567", "+50251234567"],
    ["00502 51234567", "+50251234567"],
    ["Tel. +502 5123", "+5025123"],
    ["٠٠٥٠٢", "+502"],
    ["06 12", "0612"],
    ["00", "+"],
    ["5+", "5"],
    ["", ""],
  ])("%j reads as %j", (text, typed) => {
    expect(typedNumber(text)).toBe(typed);
  });

  it.each([
    ["5123", "GT", "5123", undefined, false],
    ["51234567", "GT", "5123 4567", undefined, false],
    ["5025123", "GT", "502 5123", "GT", true],
    // With an excess digit, the text is not read as a number of Peru.
    ["512345678", "GT", "512345678", undefined, false],
    ["52551234567", "GT", "52551234567", undefined, false],
    ["525512345678", "GT", "52 55 1234 5678", "MX", true],
    ["0612345678", "FR", "06 12 34 56 78", undefined, false],
    ["51234567", "", "51 234567", "PE", true],
    ["+50251234567", "FR", "+502 5123 4567", "GT", false],
    ["+", "GT", "+", undefined, false],
    ["", "GT", "", undefined, false],
    ["", "", "", undefined, false],
  ])("%j in %j appears as %j", (typed, home, formatted, country, addsPlus) => {
    const shown = groupTyped(typed, home);
    expect({ ...shown, formatted: shown.formatted.replaceAll(/\s+/g, " ") }).toEqual({
      formatted,
      country,
      addsPlus,
    });
  });

  it("appears as the gateway reads it", () => {
    expect(groupTyped("50250251234", "GT", true)).toMatchObject({ country: "GT", addsPlus: false });
    expect(groupTyped("6592345678", "US", false)).toMatchObject({
      formatted: "65 9234 5678",
      country: "SG",
      addsPlus: true,
    });
  });

  it("never gains or loses a digit or a typed plus, and reads the same again", () => {
    const typed = fc.stringMatching(/^\+?[1-9]\d{0,14}$/);
    const home = fc.constantFrom("", "GT", "US", "FR", "DE", "IN", "AR", "CI");
    fc.assert(
      fc.property(
        typed,
        home,
        fc.constantFrom(undefined, true, false),
        (text, country, isLocal) => {
          expect(typedNumber(groupTyped(text, country, isLocal).formatted)).toBe(text);
        },
      ),
    );
  });

  it("reports the problem for the country that it matches best", () => {
    expect(numberProblem("5123", "GT")).toBe("incomplete");
    expect(numberProblem("0612", "FR")).toBe("incomplete");
    expect(numberProblem("061234567890", "FR")).toBe("tooLong");
    expect(numberProblem("+5025123", "FR")).toBe("incomplete");
    expect(mayBeLocal("5123", "")).toBe(false);
  });

  it.each([
    ["512345678", "GT"],
    ["5123456789", "GT"],
    ["502512345678", "GT"],
    ["21255501234", "US"],
    ["0612345678999", "FR"],
    ["+502512345678", "GT"],
  ])("%s in %s has too many digits, and matches no other country", (typed, home) => {
    expect(numberProblem(typed, home)).toBe("tooLong");
    const { country } = groupTyped(typed, home);
    expect([home, undefined]).toContain(country);
  });

  it.each([
    ["UPC-A", "036000291452"],
    ["EAN-13", "7501055300846"],
    ["EAN-13 of a number's beginning", "5012345678900"],
    ["GTIN-14", "15400141288763"],
  ])("counts as the barcode of a product, not as a number: %s", (_kind, code) => {
    for (const home of ["GT", "MX", ""]) {
      expect(numberProblem(code, home)).toBe("product");
      const last = (Number(code.at(-1)) + 1) % 10;
      expect(numberProblem(code.slice(0, -1) + last, home)).not.toBe("product");
    }
  });

  it("reports an unknown country code, and no problem for a part of a country code", () => {
    expect(numberProblem("+999", "GT")).toBe("noCountry");
    expect(numberProblem("+9991234567")).toBe("noCountry");
    expect(numberProblem("+99")).toBe("incomplete");
    expect(numberProblem("+870773")).toBe("incomplete");
  });

  it("with an excess digit, becomes a foreign number only if it is complete in that country", () => {
    const countries = getCountries();
    fc.assert(
      fc.property(fc.constantFrom(...countries), fc.integer({ min: 0, max: 9 }), (home, key) => {
        const national = getExampleNumber(home, examples)?.nationalNumber ?? "";
        if (!mayBeLocal(national, home)) {
          return;
        }
        const typed = `${national}${key}`;
        const { country, addsPlus } = groupTyped(typed, home);
        if (addsPlus) {
          expect(parsePhoneNumberFromString(`+${typed}`)?.isValid()).toBe(true);
        } else {
          expect(country).toBeUndefined();
        }
      }),
    );
  });
});
