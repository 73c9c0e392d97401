import { createContext, type MouseEvent, type ReactNode, useContext } from "react";
import type { OfficeSearch, OfficeSectionName } from "../../../lib/office-section.ts";

interface SectionPlace {
  readonly section: OfficeSectionName;
  readonly search?: OfficeSearch;
}

export type FigurePlace =
  | SectionPlace
  | {
      readonly screen: "today" | "shift";
      readonly search?: OfficeSearch;
      /** Target for people without access to the till, such as accountants. */
      readonly instead: SectionPlace | undefined;
    };

interface Ways {
  readonly open: (section: OfficeSectionName, search?: OfficeSearch) => void;
  /** True if the person may open the till's screens. */
  readonly hasTill: boolean;
}

export const WaysContext = createContext<Ways>({ open: () => {}, hasTill: false });

interface PlaceLinkProps {
  readonly place: FigurePlace;
  readonly className?: string | undefined;
  readonly isCurrent?: boolean;
  readonly children: ReactNode;
}

export function PlaceLink(props: PlaceLinkProps) {
  const { className, isCurrent = false, children } = props;
  const { open, hasTill } = useContext(WaysContext);
  const place = "screen" in props.place && !hasTill ? props.place.instead : props.place;
  if (!place) return <span className={className}>{children}</span>;

  function follow(event: MouseEvent) {
    const isPlain = !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
    if (place && "section" in place && isPlain) {
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
