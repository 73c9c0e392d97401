import { statSync } from "node:fs";

/** Checks whether a path still leads to the file that was opened. */
export interface Presence {
  isThere(): boolean;
}

/**
 * Thrown if the database was deleted, moved or replaced while the gateway
 * runs: a write would be lost.
 */
export class DatabaseGone extends Error {
  readonly code = "TILLGATE_DATABASE_GONE";
  constructor() {
    super("the database is not where it was opened");
  }
}

/** Remembers a file's identity, to detect that it was removed or replaced. */
export function watchFile(file: string): Presence {
  const opened = statSync(file, { bigint: true });
  return {
    isThere() {
      try {
        const { ino, dev } = statSync(file, { bigint: true });
        return ino === opened.ino && dev === opened.dev;
      } catch {
        return false;
      }
    },
  };
}
