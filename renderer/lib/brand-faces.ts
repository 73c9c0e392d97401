import { createContext } from "react";
import { type BrandFacts, brandFaceOperations } from "../../server/contract/pos/brand-faces.ts";
import { addressOf } from "../../server/contract/pos/operation.ts";

export type FaceFacts = Pick<BrandFacts, "glyph" | "logo">;

export interface BrandFacesHere {
  readonly factsOf: (brand: string) => FaceFacts | undefined;
  /**
   * The shop's country, ISO 3166-1 alpha-2, or empty if unknown. Brands of other countries show a
   * flag.
   */
  readonly home: string;
}

export const BrandFacesContext = createContext<BrandFacesHere>({
  factsOf: () => undefined,
  home: "",
});

/** Returns the URL of a logo. The URL changes with the picture. */
export function brandLogoAddress(digest: string): string {
  return addressOf(brandFaceOperations.readLogo, { digest });
}
