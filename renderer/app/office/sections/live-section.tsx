import { useNavigate } from "@tanstack/react-router";
import { GoingLiveScreen } from "../../../features/going-live/components/going-live-screen.tsx";
import type { OfficeSectionProps } from "../../../lib/office-section.ts";

/** The tills' environment, and the steps to live. */
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
          // Missing prices of live keep the shop from going live, even while it sells in test.
          ...(section === "prices" && { of: "live" }),
        })
      }
    />
  );
}
