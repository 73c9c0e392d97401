import { type Static, Type } from "typebox";
import { Input } from "../common.ts";
import { GLYPH_NAMES } from "../faces/glyphs.ts";
import { defineOperation } from "./operation.ts";

/** The most bytes of the file of a brand's logo. */
export const LARGEST_BRAND_LOGO = 128 * 1024;
/** As many brands as have one at the most. */
export const MOST_BRAND_LOGOS = 200;

const Digest = Type.String({ pattern: "^[0-9a-f]{64}$", description: "SHA-256, hexadecimal" });

/** What the till draws of a brand beside its name and its colour. */
const BrandFacts = Type.Object({
  brand: Type.String(),
  brandName: Type.String(),
  brandColor: Type.String({ description: "#rrggbb or empty" }),
  glyph: Type.Enum(GLYPH_NAMES, { description: "What most of its products are, as it is drawn" }),
  logo: Type.Optional(Digest),
});
export type BrandFacts = Static<typeof BrandFacts>;

/** `GET /pos/brand-faces`: every brand of the catalog that the session sells from. */
export const BrandFaces = Type.Object({ list: Type.Array(BrandFacts) });
export type BrandFaces = Static<typeof BrandFaces>;

const BrandLogoParams = Input({
  brand: Type.String({ minLength: 1, maxLength: 128 }),
});

const BrandLogoAddress = Input({ digest: Digest });

/** `PUT /pos/brand-logos/{brand}` (owner): a PNG, JPEG or WebP picture; it is checked by its bytes. */
const BrandLogoInput = Input({
  content: Type.String({
    minLength: 4,
    maxLength: Math.ceil(LARGEST_BRAND_LOGO / 3) * 4,
    pattern: "^[A-Za-z0-9+/]+={0,2}$",
    description: "Base64",
  }),
  rightConfirmed: Type.Literal(true, {
    description: "The owner says that the shop has the right to show it",
  }),
});

const BrandLogoState = Type.Object({ logo: Type.Optional(Digest) });

/** Base64 takes four bytes for three. */
const LOGO_BODY_BYTES = 2 * LARGEST_BRAND_LOGO;

/** How brands are shown: by the drawing of what they sell, or the logo that the shop has the right to use. */
export const brandFaceOperations = {
  list: defineOperation({
    method: "GET",
    path: "/brand-faces",
    answer: BrandFaces,
    access: "staff",
    refusals: [],
  }),
  /** The picture itself: the customer's display shows it, too. */
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
    refusals: [],
  }),
};
