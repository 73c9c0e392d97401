const STORAGE_KEY = "tillgate.give-backs";

interface StoredGiveBack {
  readonly saleId: string;
  readonly giveBackId: string;
  readonly lines: readonly string[];
}

/**
 * The id of the customer refund of these lines: the same however often it is tried, and another when it
 * goes another way.
 */
export function giveBackIdOf(
  saleId: string,
  lines: readonly string[],
  newId: () => string,
): string {
  const stored = list().find(
    (one) => one.saleId === saleId && one.lines.join() === lines.join(),
  )?.giveBackId;
  const giveBackId = stored ?? newId();
  if (!stored) {
    write([...list(), { saleId, giveBackId, lines }]);
  }
  return giveBackId;
}

/** It is booked, or refused for good. */
export function forgetGiveBack(giveBackId: string): void {
  write(list().filter((one) => one.giveBackId !== giveBackId));
}

function list(): readonly StoredGiveBack[] {
  try {
    const stored = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? "[]") as unknown;
    return Array.isArray(stored) ? (stored as StoredGiveBack[]) : [];
  } catch {
    return [];
  }
}

function write(all: readonly StoredGiveBack[]): void {
  localStorage.setItem(STORAGE_KEY, JSON.stringify(all));
}
