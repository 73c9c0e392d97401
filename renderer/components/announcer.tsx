import { type Urgency, useAnnouncements } from "../lib/announcer.ts";

const URGENCIES: readonly Urgency[] = ["polite", "assertive"];

/**
 * What screen readers read out: two regions that are there from the start. A region that is added
 * together with its words is often not read at all.
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
