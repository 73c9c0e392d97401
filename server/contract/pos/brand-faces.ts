import { type Static, Type } from "typebox";
import { Input } from "../common.ts";
import { GLYPH_NAMES } from "../faces/glyphs.ts";
import { defineOperation } from "./operation.ts";

/** Maximum bytes of a brand's logo file. */
export const LARGEST_BRAND_LOGO = 128 * 1024;
export const MOST_BRAND_LOGOS = 200;

const Digest = Type.String({ pattern: "^[0-9a-f]{64}$", description: "SHA-256, hexadecimal" });

const BrandFacts = Type.Object({
  brand: Type.String(),
  brandName: Type.String(),
  brandColor: Type.String({ description: "#rrggbb or empty" }),
  glyph: Type.Enum(GLYPH_NAMES, { description: "Icon for the kind of most of its products" }),
  logo: Type.Optional(Digest),
});
export type BrandFacts = Static<typeof BrandFacts>;

/** `GET /pos/brand-faces`: every brand of the session's catalog. */
export const BrandFaces = Type.Object({ list: Type.Array(BrandFacts) });
export type BrandFaces = Static<typeof BrandFaces>;

const BrandLogoParams = Input({
  brand: Type.String({ minLength: 1, maxLength: 128 }),
});

const BrandLogoAddress = Input({ digest: Digest });

/** `PUT /pos/brand-logos/{brand}` (owner): a PNG, JPEG or WebP picture, checked by its bytes. */
const BrandLogoInput = Input({
  content: Type.String({
    minLength: 4,
    maxLength: Math.ceil(LARGEST_BRAND_LOGO / 3) * 4,
    pattern: "^[A-Za-z0-9+/]+={0,2}$",
    description: "Base64",
  }),
  rightConfirmed: Type.Literal(true, {
    description: "The owner confirms the right to show it",
  }),
});

const BrandLogoState = Type.Object({ logo: Type.Optional(Digest) });

const LOGO_BODY_BYTES = 2 * LARGEST_BRAND_LOGO;

export const brandFaceOperations = {
  list: defineOperation({
    method: "GET",
    path: "/brand-faces",
    answer: BrandFaces,
    access: "staff",
  }),
  /** Public, because a customer's display shows logos too. */
  readLogo: defineOperation({
    method: "GET",
    path: "/brand-logos/:digest",
    params: BrandLogoAddress,
    answer: Type.String(),
    access: "anyone",
    refusals: ["NOT_FOUND"],
  }),
  setLogo: defineOperation({
    method: "PUT",
    path: "/brand-logos/:brand",
    params: BrandLogoParams,
    body: BrandLogoInput,
    answer: BrandLogoState,
    access: "owner",
    bodyLimitBytes: LOGO_BODY_BYTES,
    refusals: ["NOT_FOUND"],
  }),
  removeLogo: defineOperation({
    method: "DELETE",
    path: "/brand-logos/:brand",
    params: BrandLogoParams,
    answer: BrandLogoState,
    access: "owner",
  }),
};
