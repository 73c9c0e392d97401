import { useNavigate } from "@tanstack/react-router";
import { GoingLiveScreen } from "../../../features/going-live/components/going-live-screen.tsx";
import type { OfficeSectionProps } from "../../../lib/office-section.ts";

/** Where the tills sell, and the way to live. */
export function LiveSection({ search, onSearch, onOpen }: OfficeSectionProps) {
  const navigate = useNavigate();
  return (
    <GoingLiveScreen
      view={search.view}
      onView={(view) => onSearch({ view })}
      onScreen={(to) => void navigate({ to })}
      onSection={(section, view) =>
        onOpen(section, {
          ...(view !== undefined && { view }),
          // What stops the shop are the prices of live, wherever it sells now.
          ...(section === "prices" && { of: "live" }),
        })
      }
    />
  );
}
