import { statSync } from "node:fs";

/** Whether a file is still the one that was opened. */
export interface Presence {
  isThere(): boolean;
}

/** The database was deleted, moved or replaced under a running gateway: a write would be lost. */
export class DatabaseGone extends Error {
  readonly code = "TILLGATE_DATABASE_GONE";
  constructor() {
    super("the database is not where it was opened");
  }
}

/** Remembers which file it is, to notice when it is no longer there. */
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
