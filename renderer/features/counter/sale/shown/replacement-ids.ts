const STORAGE_KEY = "tillgate.replacements";

interface Replacement {
  readonly customerRefundId: string;
  readonly replacementId: string;
  readonly transactionId: string;
}

interface StoredReplacement extends Replacement {
  readonly replaces: string;
  /** E.164. */
  readonly number: string;
}

/** The ids of a line that is sent again to a number: the same however often it is tried. */
export function replacementOf(replaces: string, number: string, newId: () => string): Replacement {
  const all = listReplacements();
  const known = all.find((one) => one.replaces === replaces && one.number === number);
  const one = known ?? {
    replaces,
    number,
    customerRefundId: newId(),
    replacementId: newId(),
    transactionId: newId(),
  };
  if (!known) write([...all, one]);
  const { customerRefundId, replacementId, transactionId } = one;
  return { customerRefundId, replacementId, transactionId };
}

/** It is sent, or refused for good. */
export function forgetReplacement(replaces: string): void {
  write(listReplacements().filter((one) => one.replaces !== replaces));
}

function listReplacements(): readonly StoredReplacement[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? "[]");
    return Array.isArray(stored) ? (stored as StoredReplacement[]) : [];
  } catch {
    return [];
  }
}

function write(all: readonly StoredReplacement[]): void {
  localStorage.setItem(STORAGE_KEY, JSON.stringify(all));
}
