import { Type } from "typebox";
import {
  BrandFaces,
  BrandLogoAddress,
  BrandLogoInput,
  BrandLogoParams,
  BrandLogoState,
  LARGEST_BRAND_LOGO,
} from "./brand-faces.ts";
import { defineOperation } from "./operation.ts";

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
