const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Returns start and end of a local day, which may have 23 or 25 hours.
 * @param day such as 2026-01-15; undefined or empty for any day
 */
export function dayEnds(day: string | undefined): { since?: string; until?: string } {
  if (!day) {
    return {};
  }
  const since = new Date(`${day}T00:00`);
  const next = new Date(since.getTime() + DAY_MS * 1.5);
  next.setHours(0, 0, 0, 0);
  return { since: since.toISOString(), until: next.toISOString() };
}
