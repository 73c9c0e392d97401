import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { caretAfterDigits, groupPhone, numberProblem, phoneDigits } from "./phone-format.ts";

describe("phone format", () => {
  it("groups a number as it is typed and knows the country early", () => {
    expect(groupPhone("")).toEqual({ formatted: "", country: undefined });
    expect(groupPhone("502").country).toBe("GT");
    expect(groupPhone("50251234567")).toEqual({ formatted: "+502 5123 4567", country: "GT" });
  });

  it("takes pasted numbers apart", () => {
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

  it("says whether digits are missing, too many, or other ones", () => {
    expect(numberProblem("5025123")).toBe("incomplete");
    expect(numberProblem("1212555123456")).toBe("tooLong");
    expect(numberProblem("50201234567")).toBe("unknown");
  });

  it("keeps the caret behind the same digit", () => {
    expect(caretAfterDigits("+502 5123", 3)).toBe(4);
    expect(caretAfterDigits("+502 5123", 4)).toBe(6);
    expect(caretAfterDigits("+502 5123", 7)).toBe(9);
  });
});
