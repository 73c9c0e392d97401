import { createContext } from "react";
import { type BrandFacts, brandFaceOperations } from "../../server/contract/pos/brand-faces.ts";
import { addressOf } from "../../server/contract/pos/operation.ts";

/** Data of a brand card besides name and colour. */
export type FaceFacts = Pick<BrandFacts, "glyph" | "logo">;

/** Brand cards in this shop. */
export interface BrandFacesHere {
  readonly factsOf: (brand: string) => FaceFacts | undefined;
  /** The shop's country, ISO 3166-1 alpha-2: brands of others show its flag. Empty if unknown. */
  readonly home: string;
}

export const BrandFacesContext = createContext<BrandFacesHere>({
  factsOf: () => undefined,
  home: "",
});

/** Returns the URL of a brand's logo; another picture has another URL. */
export function brandLogoAddress(digest: string): string {
  return addressOf(brandFaceOperations.readLogo, { digest });
}
