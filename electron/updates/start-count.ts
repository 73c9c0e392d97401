import type { ElectronMain } from "../electron-main.ts";
import type { UpdateFolder } from "./update-record.ts";

export interface StartCount {
  /** Version that last worked, if known. */
  readonly before: string | undefined;
  /** Whether another version has worked, but not yet this version. */
  readonly isFirst: boolean;
  readonly isUndone: boolean;
  readonly starts: number;
}

/** Start counts by app, because a process starts only once but may call `countStart` repeatedly. */
const counted = new WeakMap<object, StartCount>();

/** Counts this start on the disk, before any step that may fail. */
export function countStart(
  app: Pick<ElectronMain["app"], "getVersion">,
  folder: UpdateFolder,
): StartCount {
  const known = counted.get(app);
  if (known) return known;
  const version = app.getVersion();
  const { works: before, trying, undone, refused, isReturning } = folder.record;
  const count = {
    before,
    isFirst: before !== undefined && before !== version,
    isUndone: isReturning === true && undone === version,
    starts: (trying?.version === version ? trying.starts : 0) + 1,
  };
  if (count.isFirst && !count.isUndone) {
    folder.change({
      trying: { ...(trying?.version === version && trying), version, starts: count.starts },
      // If a refused version starts, a person has installed it again and wants another attempt.
      refused: refused.filter((one) => one !== version),
      ...(isReturning !== true && { undone: undefined }),
    });
  }
  counted.set(app, count);
  return count;
}

/** Takes back the count of a start that a person or the machine ended. */
export function uncountStart(folder: UpdateFolder): void {
  const { trying } = folder.record;
  if (trying) folder.change({ trying: { ...trying, starts: Math.max(0, trying.starts - 1) } });
}
