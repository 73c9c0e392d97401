import { useNavigate } from "@tanstack/react-router";
import { GoingLiveScreen } from "../../../features/going-live/components/going-live-screen.tsx";
import type { OfficeSectionProps } from "../../../lib/office-section.ts";

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
          // Opens the live prices, which the shop needs before it goes live.
          ...(section === "prices" && { of: "live" }),
        })
      }
    />
  );
}
