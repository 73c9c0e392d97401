import { type Static, Type } from "typebox";
import { Input } from "../common.ts";

/** Maximum bytes of a logo file. */
export const LARGEST_LOGO = 512 * 1024;
/** Minimum and maximum width and height of a logo, in pixels. */
export const LOGO_PIXELS = { least: 16, most: 2_000 } as const;

/** `PUT /pos/shop/logo` (owner): a PNG or JPEG picture. The type is detected from the bytes. */
export const ShopLogoInput = Input({
  content: Type.String({
    minLength: 4,
    maxLength: Math.ceil(LARGEST_LOGO / 3) * 4,
    pattern: "^[A-Za-z0-9+/]+={0,2}$",
    description: "Base64",
  }),
});

export const ShopLogo = Type.Object({
  digest: Type.String({ description: "Digest of its bytes" }),
  width: Type.Integer({ description: "Pixels" }),
  height: Type.Integer({ description: "Pixels" }),
});
export type ShopLogo = Static<typeof ShopLogo>;

export const ShopLogoState = Type.Object({ logo: Type.Optional(ShopLogo) });
export type ShopLogoState = Static<typeof ShopLogoState>;

export const ShopLogoParams = Input({
  digest: Type.String({ pattern: "^[0-9a-f]{64}$", description: "64 digits and letters a to f" }),
});
