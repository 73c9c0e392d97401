import { expect, it } from "vitest";
import { withoutIsolates } from "./direction.ts";
import { type Sold, type SoldWords, soldTitle } from "./sold-title.ts";

const words = (locale: string, contents: string): SoldWords => ({
  locale,
  contents: () => contents,
  kind: (kind) => kind,
  delivered: (minor) => String(minor),
  anyAmount: "any",
});
const bundle = { brandName: "Tigo", title: "15 GB, 30 days" };

it("a title keeps a bundle's first number beside its unit in right-to-left text", () => {
  const arabic = soldTitle(bundle, words("ar-GT-u-nu-latn", "15 غيغابايت، 30 يومًا"));
  // The whole title is right to left. Brand and contents have separate isolates, so that 15 does
  // not join the brand.
  expect(arabic).toBe("\u2067\u2068Tigo\u2069 \u206815 غيغابايت، 30 يومًا\u2069\u2069");
  expect(withoutIsolates(arabic)).toBe("Tigo 15 غيغابايت، 30 يومًا");
});

it("a title of Latin letters, and any title in left-to-right text, has no inner isolates", () => {
  expect(soldTitle(bundle, words("ar", "25 GTQ"))).toBe("\u2068Tigo 25 GTQ\u2069");
  expect(soldTitle(bundle, words("ar", "Tigo 25"))).toBe("\u2068Tigo 25\u2069");
  expect(soldTitle(bundle, words("fr", "15 Go, 30 jours"))).toBe("Tigo 15 Go, 30 jours");
});

it("a bill's title runs from right to left in Arabic, although its biller is Latin", () => {
  const bill = { brandName: "EEGSA", title: "", service: "كهرباء", value: {}, send: 200 };
  const title = (locale: string) =>
    soldTitle(
      { ...bill, sendCurrency: "GTQ", sendCurrencyDivisor: 100 } as Sold,
      words(locale, ""),
    );
  expect(title("ar")).toBe("\u2067\u2068EEGSA\u2069 · \u2068كهرباء\u2069 · \u2068200\u2069\u2069");
  expect(title("es")).toBe("EEGSA · كهرباء · 200");
});
