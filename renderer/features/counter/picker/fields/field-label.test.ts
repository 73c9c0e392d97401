import { readFileSync } from "node:fs";
import { join } from "node:path";
import i18next from "i18next";
import { describe, expect, it } from "vitest";
import { LANGUAGES } from "../../../../../server/contract/pos/setup.ts";
import { fetchedWords } from "../../../../locales/till-words.ts";
import { CATALOG_NAMES, fieldLabel } from "./field-label.ts";

const TABLE = join(import.meta.dirname, "../../../../../resources/catalog/tables/brand-fields.csv");

describe("field label", () => {
  const general = readFileSync(TABLE, "utf8")
    .split("\n")
    .filter((row) => row.startsWith(","))
    .map((row) => row.split(",")[2] ?? "");

  it.each(LANGUAGES.filter((language) => language !== "en"))(
    "translates each common label to %s",
    (language) => {
      expect(general.length).toBeGreaterThan(10);
      const t = i18next.getFixedT(language);
      for (const label of general) {
        expect(fieldLabel(label, t)).not.toBe(label);
      }
    },
  );

  it("matches the catalog's names in English", () => {
    expect(CATALOG_NAMES).toEqual(fetchedWords("en")?.counter.fieldName);
  });

  it("adds the brand to a common label, and does not translate a label that only one brand uses", () => {
    const t = i18next.getFixedT("es");
    expect(fieldLabel("KPLC meter number", t)).toBe("Número de medidor (KPLC)");
    expect(fieldLabel("IUC number", t)).toBe("IUC number");
    expect(fieldLabel("KPLC meter number", i18next.getFixedT("en"))).toBe("Meter number (KPLC)");
  });
});
