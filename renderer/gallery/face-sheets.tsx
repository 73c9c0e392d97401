import type { Glyph } from "../../server/contract/faces/glyphs.ts";
import { GLYPH_SIZE, GLYPH_STROKE, GLYPHS } from "../../server/contract/faces/glyphs.ts";
import { BrandFace } from "../components/brand-face.tsx";
import classes from "./gallery.module.css";
import { Sheet } from "./gallery-sheet.tsx";

export function GlyphSheet() {
  return (
    <Sheet name="Glyphs">
      {Object.entries(GLYPHS).map(([name, path]) => (
        <figure key={name} className={classes.glyph}>
          <svg viewBox={`0 0 ${GLYPH_SIZE} ${GLYPH_SIZE}`} aria-hidden="true">
            <path d={path} strokeWidth={GLYPH_STROKE} />
          </svg>
          <figcaption>{name}</figcaption>
        </figure>
      ))}
    </Sheet>
  );
}

const BRANDS: readonly (readonly [name: string, color: string, glyph: Glyph, country?: string])[] =
  [
    ["Tigo", "#00377b", "mobile"],
    ["Free Fire", "#ff9c00", "games"],
    ["Netflix", "#e50914", "streaming"],
    ["MTN", "#ffcc00", "mobile", "GH"],
    ["adidas", "#000000", "fashion"],
    ["Blank", "#ffffff", "card"],
    ["Abuja Electricity", "#00843d", "light", "NG"],
    ["Seguros El Roble", "", "insurance"],
    ["Saskatchewan Water Corporation", "", "water", "CA"],
    ["الاتصالات السعودية", "#4f008c", "mobile", "SA"],
    ["", "", "card"],
  ];

export function FaceSheet() {
  return (
    <Sheet name="Brand faces">
      {BRANDS.map(([name, color, glyph, country]) => (
        <span key={name} className={classes.pair}>
          {(["large", "small"] as const).map((size) => (
            <BrandFace
              key={size}
              brand=""
              name={name}
              color={color}
              size={size}
              country={country}
              facts={{ glyph }}
            />
          ))}
        </span>
      ))}
    </Sheet>
  );
}
