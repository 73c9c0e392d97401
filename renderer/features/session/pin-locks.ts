const STORAGE_KEY = "tillgate.pin-locks";

/**
 * Returns the lock's end as the gateway last stated it. The lock is stored and survives a reload.
 */
export function findLock(staffId: string | undefined): number | undefined {
  return staffId === undefined ? undefined : readLocks()[staffId];
}

export function keepLock(staffId: string, until: number): void {
  try {
    sessionStorage.setItem(STORAGE_KEY, JSON.stringify({ ...readLocks(), [staffId]: until }));
  } catch {
    // Without browser storage, the gateway repeats the lock at the next attempt.
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

export function dropLock(staffId: string): void {
  const { [staffId]: _, ...others } = readLocks();
  try {
    sessionStorage.setItem(STORAGE_KEY, JSON.stringify(others));
  } catch {
    // Without browser storage, no lock is stored.
  }
}
