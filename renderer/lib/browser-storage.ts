/** What must be kept could not be: the browser's storage is full or denied. */
export class StorageError extends Error {}

const AREAS = ["localStorage", "sessionStorage"] as const;

let isDenied = false;

/** Keeps until the page is left. Its entries are its own properties, as those of a browser's storage are. */
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
 * Puts memory in the place of a storage that the browser denies, so that the till opens: settings last until the page
 * is left, and nothing is sold (`keep`). To be called before anything else reads one.
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

/** @throws StorageError where the entry would not outlast the page */
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

function isReadable(area: (typeof AREAS)[number]): boolean {
  try {
    window[area].getItem("tillgate");
    return true;
  } catch {
    return false;
  }
}
