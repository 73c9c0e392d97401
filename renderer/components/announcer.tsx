import { type Urgency, useAnnouncements } from "../lib/announcer.ts";

const URGENCIES: readonly Urgency[] = ["polite", "assertive"];

/**
 * The texts for screen readers, in two live regions that exist from the start: screen readers often
 * ignore a region that is added together with its text.
 */
export function Announcer() {
  const announcements = useAnnouncements();
  return URGENCIES.map((urgency) => (
    <div key={urgency} className="spoken" aria-live={urgency} data-announcer={urgency}>
      {announcements[urgency].map(({ id, text }) => (
        <p key={id}>{text}</p>
      ))}
    </div>
  ));
}
