import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  formatLicenses,
  isAllowed,
  requireAllowedLicenses,
  shippedFonts,
} from "./shipped-files.ts";
import { findLibraries } from "./shipped-libraries.ts";

const ROOT = join(import.meta.dirname, "..");

describe("a licence", () => {
  it.each(["MIT", "Apache-2.0", "(MIT OR GPL-3.0)", "MIT AND ISC"])("%s may be shipped", (name) => {
    expect(isAllowed(name)).toBe(true);
  });

  it.each(["GPL-3.0", "AGPL-3.0-only", "MIT AND GPL-3.0", "unknown", "SEE LICENSE IN X", ""])(
    "%s may not be shipped",
    (name) => {
      expect(isAllowed(name)).toBe(false);
    },
  );
});

describe("shipped libraries", () => {
  it("include all their dependencies, each with a licence text", async () => {
    const libraries = await findLibraries(ROOT, ["better-sqlite3", "@fastify/swagger-ui"]);
    const names = libraries.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(["@fastify/static", "mime", "better-sqlite3"]));
    expect(names).not.toContain("node-addon-api");
    const text = await formatLicenses(libraries);
    expect(text).toMatch(/\nbetter-sqlite3 \d+\.\d+\.\d+\nMIT\n\n.*Permission is hereby granted/s);
    expect(() => requireAllowedLicenses(libraries)).not.toThrow();
  });

  it("have a licence text even if only a file states the licence; the fonts have one too", async () => {
    const libraries = [...(await findLibraries(ROOT, ["png-js"])), shippedFonts(ROOT)];
    expect(() => requireAllowedLicenses(libraries)).not.toThrow();
    const text = await formatLicenses(libraries);
    expect(text).toMatch(/\npng-js \d+\.\d+\.\d+\nMIT\n\nMIT License/);
    expect(text).toMatch(/Plex Sans Arabic.*\nOFL-1\.1\n\n.*SIL OPEN FONT LICENSE Version 1\.1/s);
  });

  it("cause an error that names each library with a forbidden licence and each missing library", async () => {
    const [first] = await findLibraries(ROOT, ["better-sqlite3"]);
    expect(() => requireAllowedLicenses([{ ...first!, license: "GPL-3.0" }])).toThrow(
      "better-sqlite3 (GPL-3.0)",
    );
    await expect(findLibraries(ROOT, ["not-there"])).rejects.toThrow("not-there is not installed");
  });
});
