import { describe, expect, it } from "vitest";
import { buildCatalog } from "./build/catalog.ts";
import { DELIVERY_TYPES, VOUCHER_SUBTYPES } from "./build/types.ts";

const catalog = buildCatalog();
const { brands, vouchers } = catalog;

const distinct = <Value>(values: readonly Value[]) => new Set(values);
const brandOf = new Map(brands.map((brand) => [brand.brand, brand]));
const infosOf = (brand: string) => brandOf.get(brand)!.redemptionInstructionInfos;

describe("voucher offers", () => {
  it("cover many brands, countries and kinds", () => {
    expect(vouchers.length).toBeGreaterThanOrEqual(900);
    expect(vouchers.length).toBeLessThanOrEqual(1_400);
    expect(distinct(vouchers.map(({ brand }) => brand)).size).toBeGreaterThanOrEqual(120);
    expect(distinct(vouchers.map(({ country }) => country)).size).toBeGreaterThanOrEqual(40);
    expect([...distinct(vouchers.flatMap(({ subTypes }) => subTypes))].sort()).toEqual([
      ...VOUCHER_SUBTYPES,
    ]);
    expect([...distinct(vouchers.map(({ deliveryType }) => deliveryType))].sort()).toEqual([
      ...DELIVERY_TYPES,
    ]);
    expect(distinct(vouchers.map(({ priceType }) => priceType)).size).toBe(2);
    expect(vouchers.filter(({ enabled }) => !enabled).length).toBeGreaterThan(0);
  });

  it("all have the same fields in the same order", () => {
    expect([...distinct(vouchers.map((offer) => Object.keys(offer).join(" ")))]).toEqual([
      "offerId brand brandName country createdAt updatedAt enabled notes shortNotes cost price " +
        "send priceType productType regions subTypes requiredFields deliveryType",
    ]);
  });

  it("require the recipient's phone number in at most one field, and no field twice", () => {
    for (const { offerId, requiredFields } of vouchers) {
      expect(distinct(requiredFields).size, offerId).toBe(requiredFields.length);
      const phones = ["recipient.msisdn", "recipient.phoneNumber"];
      expect(requiredFields.filter((field) => phones.includes(field)).length).toBeLessThan(2);
    }
  });

  it("require the fields needed for their delivery", () => {
    for (const { offerId, deliveryType, requiredFields } of vouchers) {
      if (deliveryType === "EMAIL") expect(requiredFields, offerId).toContain("recipient.email");
      if (deliveryType === "TOKEN") expect(requiredFields, offerId).toContain("meter.number");
      if (deliveryType === "DIRECT_CREDIT") expect(requiredFields.length, offerId).not.toBe(0);
    }
  });
});

describe("brand details", () => {
  it("all have the same fields in the same order", () => {
    expect([...distinct(brands.map((brand) => Object.keys(brand).join(" ")))]).toEqual([
      "brand brandName brandBigImage brandColor brandGiftImage brandInfoPdf brandLogo " +
        "brandLogoExtension description inputMasks redemptionInstructions requiredFieldsLabels " +
        "redemptionInstructionInfos",
    ]);
  });

  it("point to pictures that the gateway draws", () => {
    const gifts = distinct(vouchers.map(({ brand }) => brand));
    for (const { brand, brandLogo, brandBigImage, brandGiftImage, ...rest } of brands) {
      expect(brandLogo).toBe(`/v1/brands/${brand}/logo.svg`);
      expect(rest.brandLogoExtension).toBe("svg");
      expect(brandBigImage).toBe(`/v1/brands/${brand}/big.svg`);
      expect(brandGiftImage).toBe(gifts.has(brand) ? `/v1/brands/${brand}/gift.svg` : "");
      expect(rest.brandInfoPdf).toBe("");
    }
  });

  it("contain instructions only for brands with vouchers, and masks only for required fields", () => {
    const asking = [...vouchers, ...catalog.billpay];
    const fields = distinct(
      asking.flatMap(({ brand, requiredFields }) => requiredFields.map((f) => `${brand} ${f}`)),
    );
    const gifts = distinct(vouchers.map(({ brand }) => brand));
    for (const { brand, ...detail } of brands) {
      expect(detail.redemptionInstructions.length > 0, brand).toBe(gifts.has(brand));
      for (const { requiredField } of detail.inputMasks) {
        expect(fields.has(`${brand} ${requiredField}`), `${brand} ${requiredField}`).toBe(true);
      }
    }
  });

  it("contain a label and an input mask for every required field", () => {
    for (const { brand, requiredFields } of [...vouchers, ...catalog.billpay]) {
      const { inputMasks, requiredFieldsLabels } = brandOf.get(brand)!;
      for (const field of requiredFields) {
        const label = requiredFieldsLabels.find(({ requiredField }) => requiredField === field);
        expect(label?.label, `${brand} ${field}`).toMatch(/\w/);
        expect(inputMasks.filter(({ requiredField }) => requiredField === field).length).toBe(1);
      }
    }
  });

  it("have input masks for numbers, and none for names and addresses", () => {
    const masks = brands.flatMap(({ inputMasks }) => inputMasks);
    const maskOf = (field: string) =>
      distinct(masks.filter((m) => m.requiredField === field).map(({ inputMask }) => inputMask));
    expect(maskOf("recipient.msisdn")).toEqual(distinct(["+999999999999"]));
    expect(maskOf("recipient.firstName")).toEqual(distinct([""]));
    expect(maskOf("meter.number")).toContain("99999999999");
  });
});

describe("redemption instructions", () => {
  it("exist in English for all vouchers", () => {
    for (const { brand, country, deliveryType } of vouchers) {
      const info = infosOf(brand).find(
        (known) =>
          known.country === country &&
          known.deliveryType === deliveryType &&
          known.language === "en",
      );
      expect(info?.redemptionInstructions, `${brand} ${country}`).toMatch(/^1\. .+\n2\. /);
      expect(info?.terms, `${brand} ${country}`).not.toBe("");
    }
  });

  it("exist only for vouchers, once per country, delivery type and language", () => {
    const sold = distinct(
      vouchers.map(({ brand, country, deliveryType }) => `${brand} ${country} ${deliveryType}`),
    );
    for (const { brand, redemptionInstructionInfos: infos } of brands) {
      const keys = infos.map((info) => `${brand} ${info.country} ${info.deliveryType}`);
      for (const key of keys) expect(sold.has(key), key).toBe(true);
      const ways = infos.map((info, i) => `${keys[i]} ${info.language}`);
      expect(distinct(ways).size, brand).toBe(ways.length);
    }
  });

  it("contain only links that are in the brand details", () => {
    for (const { brand, redemptionInstructions, redemptionInstructionInfos: infos } of brands) {
      expect(redemptionInstructions).toEqual(
        infos.map(({ country, deliveryType, language }) => ({
          country,
          deliveryType,
          language,
          link:
            `/v1/brands/${brand}/redemptionInstructions` +
            `?country=${country}&deliveryType=${deliveryType}&language=${language}`,
        })),
      );
    }
  });

  it("exist in the languages of many customers, in the right script", () => {
    const inLanguage = (language: string) =>
      brands.filter(({ redemptionInstructionInfos: infos }) =>
        infos.some((info) => info.language === language),
      ).length;
    for (const [language, least] of [
      ["es", 30],
      ["fr", 10],
      ["pt", 10],
      ["de", 10],
      ["ar", 10],
      ["hi", 5],
    ] as const) {
      expect(inLanguage(language), language).toBeGreaterThanOrEqual(least);
    }
    const scripts = { ar: /\p{Script=Arabic}/u, hi: /\p{Script=Devanagari}/u };
    for (const { language, terms, ...info } of brands.flatMap(
      (b) => b.redemptionInstructionInfos,
    )) {
      if (language !== "ar" && language !== "hi") continue;
      expect(terms).toMatch(scripts[language]);
      expect(info.redemptionInstructions).toMatch(scripts[language]);
    }
  });

  it("mention a barcode if and only if the delivery type is a barcode", () => {
    for (const { brand, redemptionInstructionInfos: infos } of brands) {
      for (const { deliveryType, language, redemptionInstructions } of infos) {
        if (language !== "en") continue;
        const speaks = /barcode/i.test(redemptionInstructions);
        expect(speaks, `${brand} ${deliveryType}`).toBe(deliveryType === "BARCODE");
      }
    }
  });

  it("show the characters of a dial code in the right order within Arabic text", () => {
    const info = infosOf("STC").find(({ language }) => language === "ar");
    expect(info?.redemptionInstructions).toContain("\u2066*155*PIN#\u2069");
  });

  it("contain no unfilled placeholders, and number their steps", () => {
    for (const { redemptionInstructions, terms } of brands.flatMap(
      (brand) => brand.redemptionInstructionInfos,
    )) {
      expect(redemptionInstructions + terms).not.toMatch(/[{}|]|undefined/);
      const numbers = redemptionInstructions.split("\n").map((step) => Number.parseInt(step, 10));
      expect(numbers).toEqual(numbers.map((_, index) => index + 1));
    }
  });

  it("name the country's web site and the voucher's currency", () => {
    const info = infosOf("AMAZON").find(({ country, language }) => country + language === "MXes");
    expect(info?.redemptionInstructions).toContain("amazon.com.mx/redeem");
    expect(info?.terms).toContain("MXN");
  });
});
