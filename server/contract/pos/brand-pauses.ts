import { Type } from "typebox";
import { Environment, Input, Timestamp } from "../common.ts";

/** `GET /pos/brands/pauses`: brands whose new purchases wait. */
export const BrandPauses = Type.Object({
  list: Type.Array(
    Type.Object({
      brand: Type.String(),
      pausedSince: Timestamp,
      byHand: Type.Boolean({ description: "Ended by hand only; otherwise by itself" }),
    }),
  ),
});

export const BrandPauseQuery = Input({ environment: Environment });
export const BrandPauseParams = Input({ brand: Type.String({ minLength: 1, maxLength: 128 }) });
