import { join } from "node:path";
import { keyed, readTable, TableError } from "../../lib/csv.ts";
import type { BrandRow } from "./brands.ts";
import { code } from "./cells.ts";
import type { Tables } from "./tables.ts";
import type { Brand, RedemptionInfo } from "./types.ts";
import type { VoucherSale } from "./vouchers.ts";

/** Label and input mask of a required field. An empty mask permits free text. */
interface FieldText {
  readonly label: string;
  readonly inputMask: string;
}

interface HowTo {
  readonly at: string;
  readonly steps: readonly string[];
  readonly terms: string;
}

interface Texts {
  /** Keys: `brand requiredField`, or ` requiredField` for all brands. */
  readonly fields: ReadonlyMap<string, FieldText>;
  /** Keys: `howTo language`. */
  readonly howTos: ReadonlyMap<string, HowTo>;
  /** Languages by country, besides English. */
  readonly languages: ReadonlyMap<string, readonly string[]>;
  /** Additional steps for single brands. Keys: `brand language`. */
  readonly steps: ReadonlyMap<string, string>;
}

interface WithFields {
  readonly brand: string;
  readonly requiredFields: readonly string[];
}

const ENGLISH = "en";
/** Languages of receipts. Every voucher has instructions in these languages. */
const RECEIPTS = [ENGLISH, "es", "fr", "pt", "ar"];
const RIGHT_TO_LEFT = new Set(["ar"]);

export function brandDetails(
  tables: Tables,
  sales: readonly VoucherSale[],
  offers: readonly WithFields[],
  tablesDir: string,
): Brand[] {
  const texts = readTexts(tables, tablesDir);
  const infos = redemptionInfos(sales, texts);
  const fieldsOf = new Map<string, Set<string>>();
  for (const { brand, requiredFields } of offers) {
    const fields = fieldsOf.get(brand) ?? new Set();
    for (const field of requiredFields) fields.add(field);
    fieldsOf.set(brand, fields);
  }
  return tables.brands.map((row) =>
    brandDetail(row, [...(fieldsOf.get(row.brand) ?? [])], infos.get(row.brand) ?? [], texts),
  );
}

function readTexts(tables: Tables, tablesDir: string): Texts {
  const brands = new Set(tables.brands.map(({ brand }) => brand));
  const knownBrand = (at: string, brand: string) => {
    if (!brands.has(brand)) throw new TableError(at, `unknown brand "${brand}"`);
  };
  const fields = readTable(join(tablesDir, "brand-fields.csv"), [
    "brand",
    "requiredField",
    "label",
    "inputMask",
  ]);
  const howTos = readTable(join(tablesDir, "voucher-instructions.csv"), [
    "howTo",
    "language",
    "steps",
    "terms",
  ]);
  const languages = readTable(join(tablesDir, "brand-languages.csv"), ["country", "languages"]);
  const steps = readTable(join(tablesDir, "brand-steps.csv"), ["brand", "language", "step"]);
  return {
    fields: keyed(fields, ({ at, cells }) => {
      if (cells.brand !== "") knownBrand(at, cells.brand);
      if (cells.label === "") throw new TableError(at, "label is empty");
      if (!/^[+9a*() /.-]*$/.test(cells.inputMask)) {
        throw new TableError(at, `inputMask "${cells.inputMask}" is not of 9, a, * and signs`);
      }
      return [`${cells.brand} ${cells.requiredField}`, cells];
    }),
    howTos: keyed(howTos, ({ at, cells }) => {
      const howTo = code(at, "howTo", cells.howTo);
      const parts = cells.steps.split("|");
      if (parts.includes("")) throw new TableError(at, "a step is empty");
      if (cells.terms === "") throw new TableError(at, "terms is empty");
      const language = languageOf(at, cells.language);
      return [`${howTo} ${language}`, { at, steps: parts, terms: cells.terms }];
    }),
    languages: keyed(languages, ({ at, cells }) => {
      if (!tables.countries.has(cells.country)) {
        throw new TableError(at, `unknown country "${cells.country}"`);
      }
      return [cells.country, cells.languages.split(" ").map((part) => languageOf(at, part))];
    }),
    steps: keyed(steps, ({ at, cells }) => {
      knownBrand(at, cells.brand);
      if (cells.step === "") throw new TableError(at, "step is empty");
      return [`${cells.brand} ${languageOf(at, cells.language)}`, cells.step];
    }),
  };
}

function languageOf(at: string, text: string): string {
  if (!/^[a-z]{2}$/.test(text)) {
    throw new TableError(at, `"${text}" is not a two-letter language code`);
  }
  return text;
}

/**
 * Returns the instructions of every brand by country and delivery type, in the languages of
 * receipts and in the country's languages for which the tables contain instructions.
 */
function redemptionInfos(
  sales: readonly VoucherSale[],
  texts: Texts,
): Map<string, RedemptionInfo[]> {
  const infos = new Map<string, RedemptionInfo[]>();
  const seen = new Map<string, string>();
  for (const { at, country, product, currency, where } of sales) {
    const { brand } = product.brand;
    const key = `${brand} ${country.country} ${product.deliveryType}`;
    const way = `${product.howTo} ${where} ${currency}`;
    const known = seen.get(key);
    if (known !== undefined && known !== way) {
      throw new TableError(at, `${key} is redeemed in two ways: ${known}, and ${way}`);
    }
    if (known !== undefined) continue;
    seen.set(key, way);
    const languages = new Set([...RECEIPTS, ...(texts.languages.get(country.country) ?? [])]);
    const written = [...languages].flatMap((language): RedemptionInfo[] => {
      const howTo = texts.howTos.get(`${product.howTo} ${language}`);
      if (howTo === undefined && language === ENGLISH) {
        throw new TableError(at, `${product.howTo} is not written down in English`);
      }
      if (howTo === undefined) return [];
      const step = texts.steps.get(`${brand} ${language}`);
      const steps = step === undefined ? howTo.steps : [...howTo.steps, step];
      const fill = filler(howTo.at, language, {
        brand: product.brand.brandName,
        where,
        currency,
      });
      return [
        {
          country: country.country,
          deliveryType: product.deliveryType,
          language,
          redemptionInstructions: steps.map((text, i) => `${i + 1}. ${fill(text)}`).join("\n"),
          terms: fill(howTo.terms),
          redemptionVideo: "",
        },
      ];
    });
    infos.set(brand, [...(infos.get(brand) ?? []), ...written]);
  }
  return infos;
}

/**
 * Returns a function that replaces `{brand}`, `{where}` and `{currency}`. In right-to-left text it
 * isolates the values, so that the characters of a dial code are displayed in the right order.
 */
function filler(
  at: string,
  language: string,
  words: Readonly<Record<string, string>>,
): (text: string) => string {
  const [before, after] = RIGHT_TO_LEFT.has(language) ? ["\u2066", "\u2069"] : ["", ""];
  return (text) =>
    text.replace(/\{(\w*)\}/g, (_, name: string) => {
      const word = words[name];
      if (word === undefined) throw new TableError(at, `{${name}} is not known`);
      return `${before}${word}${after}`;
    });
}

function brandDetail(
  { brand, brandName, brandColor, description }: BrandRow,
  fields: readonly string[],
  infos: readonly RedemptionInfo[],
  texts: Texts,
): Brand {
  const path = `/v1/brands/${brand}`;
  const fieldTexts = fields.map((requiredField) => {
    const text =
      texts.fields.get(`${brand} ${requiredField}`) ?? texts.fields.get(` ${requiredField}`);
    if (text === undefined) {
      throw new TableError("brand-fields.csv", `no label for ${requiredField} of ${brand}`);
    }
    return { requiredField, ...text };
  });
  return {
    brand,
    brandName,
    brandBigImage: `${path}/big.svg`,
    brandColor,
    brandGiftImage: infos.length === 0 ? "" : `${path}/gift.svg`,
    brandInfoPdf: "",
    brandLogo: `${path}/logo.svg`,
    brandLogoExtension: "svg",
    description,
    inputMasks: fieldTexts.map(({ requiredField, inputMask }) => ({ requiredField, inputMask })),
    redemptionInstructions: infos.map(({ country, deliveryType, language }) => ({
      country,
      deliveryType,
      language,
      link: `${path}/redemptionInstructions?country=${country}&deliveryType=${deliveryType}&language=${language}`,
    })),
    requiredFieldsLabels: fieldTexts.map(({ requiredField, label }) => ({ label, requiredField })),
    redemptionInstructionInfos: [...infos],
  };
}
