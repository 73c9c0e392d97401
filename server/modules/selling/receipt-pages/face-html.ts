import { FACE_SHAPE, faceOf } from "../../../contract/faces/face.ts";
import type { BrandFacts } from "../../../contract/pos/brand-faces.ts";
import type { SaleLine } from "../../../contract/pos/sale-lines.ts";
import type { Shop } from "../../shop/shop/index.ts";
import { type Html, html } from "./page-format.ts";

export type Faces = ReadonlyMap<string, Pick<BrandFacts, "glyph" | "logo">>;

/** Pictures are below the page's address, so that the visitor's browser contacts no other host. */
export const PICTURE_FILE = /^picture-([0-9a-f]{64})$/;

function pictureAddress(token: string, digest: string): string {
  return `${token}/picture-${digest}`;
}

/**
 * Fraction of the card's width that the text may fill, because a phone's font may be wider than the
 * till's font.
 */
const ROOM_FOR_OTHER_LETTERS = 0.9;

export function shopLogoHtml({ name, logo }: Shop, token: string): Html | undefined {
  if (!logo) return undefined;
  const { digest, width, height } = logo;
  return html`<img class="logo" src="${pictureAddress(token, digest)}" width="${width}" height="${height}" alt="${name}">`;
}

/** Returns a card that is decorative for screen readers: the brand's name is next to the card. */
export function brandFaceHtml(
  { brand, brandName, brandColor }: SaleLine,
  { token, faces }: { token: string; faces: Faces },
): Html | undefined {
  const { glyph: drawn, logo } = faces.get(brand) ?? {};
  if (logo !== undefined) {
    return html`<img class="face" src="${pictureAddress(token, logo)}" alt="">`;
  }
  if (brandName === "") return undefined;
  const { ground, ink, glyph, name } = faceOf({ brandName, brandColor, glyph: drawn }, "SMALL");
  const { width, height } = FACE_SHAPE;
  const from = name.isRightToLeft ? "rtl" : "ltr";
  return html`<svg class="face" viewBox="0 0 ${width} ${height}" aria-hidden="true"><rect width="${width}" height="${height}" fill="${ground}"/><path d="${glyph.path}" transform="${glyph.transform}" stroke="${ink}" stroke-width="${glyph.stroke}"/><g fill="${ink}" font-size="${ROOM_FOR_OTHER_LETTERS * name.size}" direction="${from}">${name.lines.map(
    ({ text, x, y }) => html`<text x="${x}" y="${y}">${text}</text>`,
  )}</g></svg>`;
}
