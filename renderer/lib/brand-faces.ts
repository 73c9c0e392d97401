import { createContext } from "react";
import { type BrandFacts, brandFaceOperations } from "../../server/contract/pos/brand-faces.ts";
import { addressOf } from "../../server/contract/pos/operation.ts";

/** What is drawn of a brand beside its name and colour. */
export type FaceFacts = Pick<BrandFacts, "glyph" | "logo">;

/** How brands are shown in this shop. */
export interface BrandFacesHere {
  readonly factsOf: (brand: string) => FaceFacts | undefined;
  /** The shop's country, ISO 3166-1 alpha-2: what is for another bears its flag. Empty while it is not known. */
  readonly home: string;
}

export const BrandFacesContext = createContext<BrandFacesHere>({
  factsOf: () => undefined,
  home: "",
});

/** Where a brand's logo is; another picture has another address. */
export function brandLogoAddress(digest: string): string {
  return addressOf(brandFaceOperations.readLogo, { digest });
}
