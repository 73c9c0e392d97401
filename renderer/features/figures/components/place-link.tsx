import { createContext, type MouseEvent, type ReactNode, useContext } from "react";
import type { OfficeSearch, OfficeSectionName } from "../../../lib/office-section.ts";

/** Where a figure leads: a section of the back office, or a screen of the till. */
export type FigurePlace =
  | { readonly section: OfficeSectionName; readonly search?: OfficeSearch }
  | { readonly screen: "today" | "shift" | "audit-trail"; readonly search?: OfficeSearch };

/** Opens another section of the back office. */
export const OpenSectionContext = createContext<
  (section: OfficeSectionName, search?: OfficeSearch) => void
>(() => {});

interface PlaceLinkProps {
  readonly place: FigurePlace;
  readonly className?: string | undefined;
  readonly isCurrent?: boolean;
  readonly children: ReactNode;
}

/** A link that can be opened in another window too. */
export function PlaceLink({ place, className, isCurrent = false, children }: PlaceLinkProps) {
  const open = useContext(OpenSectionContext);
  function follow(event: MouseEvent) {
    const isPlain = !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
    if ("section" in place && isPlain) {
      event.preventDefault();
      open(place.section, place.search);
    }
  }
  return (
    <a
      href={addressOfPlace(place)}
      className={className}
      aria-current={isCurrent ? "page" : undefined}
      onClick={follow}
    >
      {children}
    </a>
  );
}

function addressOfPlace(place: FigurePlace): string {
  const path = "section" in place ? `office/${place.section}` : place.screen;
  const search = new URLSearchParams(place.search).toString();
  return search === "" ? `#/${path}` : `#/${path}?${search}`;
}
