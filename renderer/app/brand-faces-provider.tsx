import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useMemo } from "react";
import { brandFaceOperations } from "../../server/contract/pos/brand-face-operations.ts";
import { BrandFacesContext } from "../lib/brand-faces.ts";
import { operationQuery } from "../lib/operation-query.ts";
import { statusQuery } from "../lib/pos-queries.ts";

/** Tells every screen how brands are drawn; asked for once, and again when the shop or its catalog changes. */
export function BrandFacesProvider({ children }: { readonly children: ReactNode }) {
  const { data } = useQuery({
    ...operationQuery(brandFaceOperations.list),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const home = useQuery(statusQuery()).data?.country ?? "";
  const faces = useMemo(() => {
    const known = new Map(
      data?.list.map(({ brand, glyph, logo }) => [brand, { glyph, ...(logo && { logo }) }]),
    );
    return { home, factsOf: (brand: string) => known.get(brand) };
  }, [data, home]);
  return <BrandFacesContext value={faces}>{children}</BrandFacesContext>;
}
