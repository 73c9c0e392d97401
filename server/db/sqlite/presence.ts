import { statSync } from "node:fs";

/** Checks whether a file is still the opened one. */
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

/** Remembers a file's identity, to detect its removal. */
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
