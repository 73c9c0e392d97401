import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import en from "./en.json" with { type: "json" };
import es from "./es.json" with { type: "json" };
import fr from "./fr.json" with { type: "json" };

type Tree = { readonly [key: string]: string | Tree };

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

function variables(text: string): string[] {
  return [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name ?? "").sort();
}

/** Key without its plural form, to the variables of its texts. */
function outline(tree: Tree): Record<string, string[]> {
  return Object.fromEntries(
    [...flatten(tree)].map(([key, text]) => [key.replace(PLURAL, ""), variables(text)]),
  );
}

const LOCALES = { en, es, fr } as const;
const sources = listSources(join(import.meta.dirname, ".."))
  .map((file) => readFileSync(file, "utf8"))
  .join("\n");

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
  it("have the same keys with the same variables in every language", () => {
    expect(outline(es)).toEqual(outline(en));
    expect(outline(fr)).toEqual(outline(en));
  });

  it("have every plural form their language needs", () => {
    for (const [language, tree] of Object.entries(LOCALES)) {
      const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
      const keys = [...flatten(tree).keys()];
      const plurals = new Set(
        keys.filter((key) => PLURAL.test(key)).map((key) => key.replace(PLURAL, "")),
      );
      for (const key of plurals) {
        const has = keys.filter((other) => other.replace(PLURAL, "") === key && other !== key);
        expect(has.sort(), `${language} ${key}`).toEqual(
          forms.map((form) => `${key}_${form}`).sort(),
        );
      }
    }
  });

  it("leave no text empty and use no markup", () => {
    for (const tree of Object.values(LOCALES)) {
      for (const [key, text] of flatten(tree)) {
        expect(text.trim(), key).not.toBe("");
        expect(text, key).not.toMatch(/<|&\w+;/);
      }
    }
  });

  it("are used: no text is kept that nobody shows", () => {
    // Keys built from a code or an outcome are looked up by the part that is written out.
    const built = [...sources.matchAll(/[`"]([\w.]+\.)\$\{/g)].map(([, prefix]) => prefix ?? "");
    const unused = Object.keys(outline(en)).filter(
      (key) => !sources.includes(`"${key}"`) && !built.some((prefix) => key.startsWith(prefix)),
    );
    expect(unused).toEqual([]);
  });
});
