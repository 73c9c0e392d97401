import { type Static, Type } from "typebox";
import { Input } from "../common.ts";

/** The most bytes of a logo's file. */
export const LARGEST_LOGO = 512 * 1024;
/** A logo is at least and at most so many pixels wide and high. */
export const LOGO_PIXELS = { least: 16, most: 2_000 } as const;

/** `PUT /pos/shop/logo` (owner): a PNG or JPEG picture; it is checked by its bytes, not by its name. */
export const ShopLogoInput = Input({
  content: Type.String({
    minLength: 4,
    maxLength: Math.ceil(LARGEST_LOGO / 3) * 4,
    pattern: "^[A-Za-z0-9+/]+={0,2}$",
    description: "Base64",
  }),
});

/** The logo that is in use, without its bytes. */
export const ShopLogo = Type.Object({
  digest: Type.String({ description: "Of its bytes: another picture has another" }),
  width: Type.Integer({ description: "Pixels" }),
  height: Type.Integer({ description: "Pixels" }),
});
export type ShopLogo = Static<typeof ShopLogo>;

export const ShopLogoState = Type.Object({ logo: Type.Optional(ShopLogo) });
export type ShopLogoState = Static<typeof ShopLogoState>;

export const ShopLogoParams = Input({
  digest: Type.String({ pattern: "^[0-9a-f]{64}$", description: "64 digits and letters a to f" }),
});
