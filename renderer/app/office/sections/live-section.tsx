import { useNavigate } from "@tanstack/react-router";
import { GoingLiveScreen } from "../../../features/going-live/components/going-live-screen.tsx";

/** Where the tills sell, and the way to live. */
export function LiveSection() {
  const navigate = useNavigate();
  return <GoingLiveScreen onScreen={(to) => void navigate({ to })} />;
}
