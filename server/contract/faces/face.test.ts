import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { create } from "fontkit";
import { describe, expect, it } from "vitest";
import {
  contrast,
  FACE_SHAPE,
  faceColors,
  faceOf,
  fitName,
  LEAST_CONTRAST,
  widthOf,
} from "./face.ts";
import { glyphOfBrand } from "./glyph-of-brand.ts";
import { GLYPH_SIZE, GLYPHS } from "./glyphs.ts";

const resources = join(import.meta.dirname, "../../../resources");
const catalog = JSON.parse(readFileSync(join(resources, "catalog/sandbox.json"), "utf8")) as {
  brands: { brand: string; brandName: string; brandColor: string }[];
};
const font = (file: string) => {
  const opened = create(readFileSync(join(resources, "fonts", file)));
  if (!("layout" in opened)) throw new Error(`${file} is no font`);
  return opened;
};
const latin = font("IBMPlexSans-Bold.ttf");
const arabic = font("IBMPlexSansArabic-Bold.ttf");

/** Returns the lower edge of an icon, in the units of its brand card. */
function bottomOf(transform: string): number {
  const [, at, scale] = /translate\(\S+ (\S+)\) scale\((\S+)\)/.exec(transform) ?? [];
  return Number(at) + Number(scale) * GLYPH_SIZE;
}

describe("colours of a brand card", () => {
  it("have a readable contrast for every brand colour", () => {
    const channel = fc.integer({ min: 0, max: 255 });
    fc.assert(
      fc.property(channel, channel, channel, (...parts) => {
        const color = `#${parts.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
        const { ground, ink } = faceColors(color, "");
        expect(contrast(ground, ink)).toBeGreaterThanOrEqual(LEAST_CONTRAST);
      }),
      { numRuns: 2_000 },
    );
    for (let name = 0; name < 100; name += 1) {
      const { ground, ink } = faceColors("", String(name));
      expect(contrast(ground, ink)).toBeGreaterThanOrEqual(LEAST_CONTRAST);
    }
  });

  it("keep the brand's colour if text on it is readable, and depend on the name if there is no colour", () => {
    expect(faceColors("#00377b", "Tigo")).toEqual({ ground: "#00377b", ink: "#ffffff" });
    expect(faceColors("#ffcc00", "MTN")).toEqual({ ground: "#ffcc00", ink: "#000000" });
    expect(faceColors("none", "Tigo")).toEqual(faceColors("", "Tigo"));
    const grounds = catalog.brands.map(({ brandName }) => faceColors("", brandName).ground);
    expect(new Set(grounds).size).toBeGreaterThan(8);
  });
});

describe("name on a brand card", () => {
  it("fits uncut at both sizes for every brand of the catalog", () => {
    for (const brand of catalog.brands) {
      for (const style of ["CARD", "SMALL"] as const) {
        const { name, glyph } = faceOf(brand, style);
        const shown = name.lines.map(({ text }) => text);
        if (style === "CARD") {
          expect(shown.join("").replaceAll(" ", "")).toBe(brand.brandName.replaceAll(" ", ""));
        }
        for (const { text } of name.lines) {
          const width = (latin.layout(text).advanceWidth / 1_000) * name.size;
          expect(width, `${brand.brandName} ${style}`).toBeLessThan(FACE_SHAPE.width * 0.9);
        }
        const [{ y } = { y: 0 }] = name.lines;
        expect(y - 0.75 * name.size, brand.brandName).toBeGreaterThan(bottomOf(glyph.transform));
      }
    }
  });

  it("starts at the right edge in Arabic, and is never wider than the computed width", () => {
    for (const name of ["المراعي", "الاتصالات السعودية", "موبايلي", "شاهد"]) {
      const face = faceOf({ brandName: name, brandColor: "" });
      expect(face.name.isRightToLeft).toBe(true);
      expect(arabic.layout(name).advanceWidth / 1_000).toBeLessThanOrEqual(widthOf(name));
    }
    for (const { brandName } of catalog.brands) {
      const drawn = latin.layout(brandName).advanceWidth / 1_000;
      expect(drawn, brandName).toBeLessThanOrEqual(widthOf(brandName) * 1.02);
    }
  });

  it("wraps if wrapping allows larger letters, and is cut only if no letter size fits", () => {
    const box = { width: 100, largest: 25, largestOfTwo: 20, least: 10 };
    expect(fitName("Abuja Electricity", box).lines).toEqual(["Abuja", "Electricity"]);
    expect(fitName("T-Mobile", box).lines).toEqual(["T-Mobile"]);
    const [line = "", ...others] = fitName("x".repeat(80), box).lines;
    expect(others).toEqual([]);
    expect(line.endsWith("…")).toBe(true);
    expect(widthOf(line) * box.least).toBeLessThanOrEqual(box.width);
  });
});

describe("icons", () => {
  it("stay within the grid and differ from each other", () => {
    expect(Object.keys(GLYPHS).length).toBeGreaterThanOrEqual(24);
    expect(new Set(Object.values(GLYPHS)).size).toBe(Object.keys(GLYPHS).length);
    for (const [name, path] of Object.entries(GLYPHS)) {
      expect(path, name).toMatch(/^M[\d\s.,MLHVCAQSTZmlhvcaqstz-]+$/);
      for (const [, at] of path.matchAll(/[MLHV]\s*(-?[\d.]+)/g)) {
        expect(Number(at), name).toBeGreaterThanOrEqual(2);
        expect(Number(at), name).toBeLessThanOrEqual(GLYPH_SIZE - 2);
      }
    }
  });

  it("show the most frequent product kind of a brand", () => {
    const offer = (productType: "TOPUP" | "VOUCHER" | "BILL_PAY", ...subTypes: string[]) => ({
      productType,
      subTypes,
    });
    expect(glyphOfBrand([offer("VOUCHER", "Gift Card", "Online Shopping")])).toBe("shopping");
    expect(glyphOfBrand([offer("VOUCHER", "Gift Card")])).toBe("gift");
    expect(glyphOfBrand([offer("BILL_PAY", "Something new")])).toBe("card");
    const topups = ["Mobile Top Up", "Mobile Data"].map((kind) => offer("TOPUP", kind));
    expect(glyphOfBrand([...topups, offer("BILL_PAY", "TV and Internet")])).toBe("mobile");
    expect(glyphOfBrand([])).toBe("card");
  });
});
