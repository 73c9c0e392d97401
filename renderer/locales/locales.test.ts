import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { LANGUAGES, type Language } from "../../server/contract/pos/setup.ts";
import receiptsAr from "../features/receipts/locales/ar.json" with { type: "json" };
import receiptsEn from "../features/receipts/locales/en.json" with { type: "json" };
import receiptsEs from "../features/receipts/locales/es.json" with { type: "json" };
import receiptsFr from "../features/receipts/locales/fr.json" with { type: "json" };
import receiptsPt from "../features/receipts/locales/pt.json" with { type: "json" };
import ar from "./ar.json" with { type: "json" };
import en from "./en.json" with { type: "json" };
import es from "./es.json" with { type: "json" };
import fr from "./fr.json" with { type: "json" };
import { officeWordsIn } from "./office-words.ts";
import pt from "./pt.json" with { type: "json" };
import { BANNED } from "./testing/glossary.ts";
import { familyWordsIn } from "./till-words.ts";

type Tree = { readonly [key: string]: string | Tree };

const flattened = new WeakMap<Tree, ReadonlyMap<string, string>>();

function textsOf(tree: Tree): ReadonlyMap<string, string> {
  const known = flattened.get(tree) ?? flatten(tree);
  flattened.set(tree, known);
  return known;
}

function flatten(tree: Tree, prefix = ""): Map<string, string> {
  const found = new Map<string, string>();
  for (const [key, value] of Object.entries(tree)) {
    const path = prefix + key;
    if (typeof value === "string") {
      found.set(path, value);
    } else {
      for (const [inner, text] of flatten(value, `${path}.`)) {
        found.set(inner, text);
      }
    }
  }
  return found;
}

const PLURAL = /_(zero|one|two|few|many|other)$/;

/** Suffix of a text for a time on a day other than today. */
const DAY = /_day$/;

/**
 * Returns the variables as written between the braces: a typing error such as "{{ name}}" differs.
 */
function variables(text: string): string[] {
  return [...text.matchAll(/\{\{([^}]*)\}\}/g)].map(([, name]) => name ?? "").sort();
}

/** Variables that a text may leave out, such as the "1" of "one day". */
const COUNTED: ReadonlySet<string> = new Set(["count", "amount"]);

function baseKeys(tree: Tree): string[] {
  return [...new Set([...textsOf(tree).keys()].map((key) => key.replace(PLURAL, "")))];
}

/**
 * Returns the variables of a text. For plurals, returns the variables of the form for any number.
 */
function variablesOf(tree: Tree, key: string): string[] {
  const texts = textsOf(tree);
  return variables(texts.get(key) ?? texts.get(`${key}_other`) ?? "");
}

const LOCALES: Readonly<Record<"till" | "receipts", Readonly<Record<Language, Tree>>>> = {
  till: {
    en: { ...en, family: familyWordsIn("en"), office: officeWordsIn("en") },
    es: { ...es, family: familyWordsIn("es"), office: officeWordsIn("es") },
    fr: { ...fr, family: familyWordsIn("fr"), office: officeWordsIn("fr") },
    pt: { ...pt, family: familyWordsIn("pt"), office: officeWordsIn("pt") },
    ar: { ...ar, family: familyWordsIn("ar"), office: officeWordsIn("ar") },
  },
  receipts: {
    en: receiptsEn,
    es: receiptsEs,
    fr: receiptsFr,
    pt: receiptsPt,
    ar: receiptsAr,
  },
};
const EVERY = Object.entries(LOCALES).flatMap(([name, trees]) =>
  LANGUAGES.map((language) => ({ name, language, tree: trees[language], english: trees.en })),
);
const sources = listSources(join(import.meta.dirname, ".."))
  .map((file) => readFileSync(file, "utf8"))
  .join("\n");

function readServerWords(path: string): Record<Language, Tree> {
  return JSON.parse(
    readFileSync(join(import.meta.dirname, "../../server/modules", path), "utf8"),
  ) as Record<Language, Tree>;
}

const pageWords = readServerWords("selling/receipt-pages/page-words.json");

/** The texts that the server writes into documents and e-mails. */
const DOCUMENT_WORDS = [
  pageWords,
  readServerWords("office/shop-reports/day-pdf/day-words.json"),
  readServerWords("office/shop-reports/report-mail-words.json"),
  readServerWords("operations/alerts/alert-mail-words.json"),
];

const shell = ["leaving/leave-words.ts", "desktop/desktop-words.ts"].map((file) =>
  readFileSync(join(import.meta.dirname, "../../electron", file), "utf8"),
);

/** The texts of the desktop shell, read from its source: the till must not import the shell. */
function shellWords(language: Language): [string, string][] {
  return shell.flatMap((source) => {
    const table =
      language === "en"
        ? /\nconst EN = \{([\s\S]*?)\n\};/
        : new RegExp(`\\n {2}${language}: \\{([\\s\\S]*?)\\n {2}\\}`);
    const words = [...(table.exec(source)?.[1] ?? "").matchAll(/(\w+):\s+"([^"]*)"/g)];
    expect(words.length, `of the shell in ${language}`).toBeGreaterThan(8);
    return words.map(([, key, text]): [string, string] => [`shell.${key}`, text ?? ""]);
  });
}

function listSources(dir: string): string[] {
  return readdirSync(dir, { withFileTypes: true }).flatMap((entry) => {
    const path = join(dir, entry.name);
    if (entry.isDirectory()) {
      return listSources(path);
    }
    return /\.tsx?$/.test(entry.name) && !/\.test\.tsx?$/.test(entry.name) ? [path] : [];
  });
}

describe("locales", () => {
  it.each(EVERY)(
    "$name in $language has the keys of English in the same order, with the same variables",
    (one) => {
      const keys = baseKeys(one.english);
      expect(baseKeys(one.tree)).toEqual(keys);
      for (const key of keys) {
        expect(variablesOf(one.tree, key), key).toEqual(variablesOf(one.english, key));
      }
    },
  );

  it.each(EVERY)(
    "$name in $language has every plural form that the language needs, and no other form",
    (one) => {
      const forms = new Intl.PluralRules(one.language).resolvedOptions().pluralCategories;
      const texts = textsOf(one.tree);
      const plurals = new Set(
        [...texts.keys()].filter((key) => PLURAL.test(key)).map((key) => key.replace(PLURAL, "")),
      );
      for (const key of plurals) {
        const has = [...texts.keys()].filter(
          (other) => other === key || (PLURAL.test(other) && other.replace(PLURAL, "") === key),
        );
        expect(has.sort(), key).toEqual(forms.map((form) => `${key}_${form}`).sort());
        const whole = variablesOf(one.tree, key);
        for (const form of has) {
          // "One day" and "two days" may omit the number, but no other variable.
          const filled = variables(texts.get(form) ?? "");
          const needed = /_(zero|one|two)$/.test(form)
            ? whole.filter((name) => !COUNTED.has(name) || filled.includes(name))
            : whole;
          expect(filled, form).toEqual(needed);
        }
      }
    },
  );

  it("leave no text empty and use no markup", () => {
    for (const { language, tree } of EVERY) {
      for (const [key, text] of textsOf(tree)) {
        expect(text.trim(), `${language} ${key}`).not.toBe("");
        expect(text, `${language} ${key}`).not.toMatch(/<|&\w+;/);
      }
    }
  });

  it.each(LANGUAGES)("use one name for each thing in %s", (language) => {
    const shown = [...textsOf(LOCALES.till[language]), ...textsOf(LOCALES.receipts[language])];
    const documents = DOCUMENT_WORDS.flatMap((words) => [...textsOf(words[language])]);
    const said = [...shown, ...shellWords(language), ...documents];
    const wrong = said.flatMap(([key, text]) =>
      BANNED[language]
        .filter(({ word }) => word.test(text))
        .map(({ say }) => `${key}: "${text}" (say: ${say})`),
    );
    expect(wrong).toEqual([]);
  });

  it.each(LANGUAGES)("in %s name no keyboard keys, which only buttons show", (language) => {
    const named = [...textsOf(LOCALES.till[language])].filter(([, text]) =>
      /\bF\d{1,2}\b|\b(?:Alt|Ctrl) ?\+/.test(text),
    );
    expect(named).toEqual([]);
  });

  it("keep French punctuation on the same line as the word before it", () => {
    const trees = [LOCALES.till.fr, receiptsFr, ...DOCUMENT_WORDS.map(({ fr: words }) => words)];
    const said = [...trees.flatMap((tree) => [...textsOf(tree)]), ...shellWords("fr")];
    for (const [key, text] of said) {
      const remedy = `${key}: U+00A0 before ":" and inside « », U+202F before ";", "!", "?" and "%"`;
      expect(text, remedy).not.toMatch(/ [:;!?»%]|« /);
    }
  });

  it("have no unused texts", () => {
    // If a key ends with a code or an outcome, only its constant part is checked.
    const built = [...sources.matchAll(/[`"]([\w.]+\.)\$\{/g)].map(([, prefix]) => prefix ?? "");
    const unused = baseKeys(en)
      .map((key) => key.replace(DAY, ""))
      .filter(
        (key) => !sources.includes(`"${key}"`) && !built.some((prefix) => key.startsWith(prefix)),
      );
    expect(unused).toEqual([]);
  });
});
