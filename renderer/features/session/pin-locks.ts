const STORAGE_KEY = "tillgate.pin-locks";

/** Until when a name is locked, as the gateway answered this window; kept through a reload. */
export function findLock(staffId: string | undefined): number | undefined {
  return staffId === undefined ? undefined : readLocks()[staffId];
}

export function keepLock(staffId: string, until: number): void {
  try {
    sessionStorage.setItem(STORAGE_KEY, JSON.stringify({ ...readLocks(), [staffId]: until }));
  } catch {
    // Where it cannot be stored, the next try answers with it again.
  }
}

function readLocks(): Record<string, number> {
  try {
    const stored = JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? "{}") as unknown;
    return typeof stored === "object" && stored !== null ? (stored as Record<string, number>) : {};
  } catch {
    return {};
  }
}

/** Signed in after all, for example with a new PIN from the owner. */
export function dropLock(staffId: string): void {
  const { [staffId]: _, ...others } = readLocks();
  try {
    sessionStorage.setItem(STORAGE_KEY, JSON.stringify(others));
  } catch {
    // Nothing was kept.
  }
}
