/** A required entry could not be stored: the browser's storage is full or denied. */
export class StorageError extends Error {}

const AREAS = ["localStorage", "sessionStorage"] as const;

let isDenied = false;

class MemoryStorage {
  [name: string]: unknown;

  getItem(name: string): string | null {
    return Object.hasOwn(this, name) ? String(this[name]) : null;
  }

  setItem(name: string, value: string): void {
    this[name] = value;
  }

  removeItem(name: string): void {
    delete this[name];
  }
}

/**
 * Replaces a denied browser storage by memory, so that the till opens. Must run before any other
 * use of a storage.
 */
export function settleStorage(): void {
  isDenied = false;
  for (const area of AREAS) {
    if (isReadable(area)) {
      continue;
    }
    isDenied = true;
    Object.defineProperty(window, area, { configurable: true, value: new MemoryStorage() });
  }
}

/** @throws StorageError if the entry would not outlast the page */
export function keep(name: string, value: string): void {
  if (isDenied) {
    throw new StorageError("the browser denies its storage");
  }
  try {
    localStorage.setItem(name, value);
  } catch (error) {
    throw new StorageError("the browser's storage is full", { cause: error });
  }
}

/** Returns an entry that contains JSON; undefined if it is missing or damaged. */
export function readJson(name: string, area: (typeof AREAS)[number] = "localStorage"): unknown {
  try {
    return (JSON.parse(window[area].getItem(name) ?? "null") as unknown) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Returns the objects of an entry that have all these properties. */
export function readList<Entry extends object>(
  name: string,
  ...keys: readonly (keyof Entry & string)[]
): Entry[] {
  const stored = readJson(name);
  return Array.isArray(stored) ? stored.filter((one): one is Entry => hasKeys(one, ...keys)) : [];
}

export function hasKeys<Key extends string>(
  value: unknown,
  ...keys: readonly Key[]
): value is Readonly<Record<Key, unknown>> {
  return typeof value === "object" && value !== null && keys.every((key) => key in value);
}

function isReadable(area: (typeof AREAS)[number]): boolean {
  try {
    window[area].getItem("tillgate");
    return true;
  } catch {
    return false;
  }
}
