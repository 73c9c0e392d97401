import type { ElectronMain } from "../electron-main.ts";
import type { UpdateFolder } from "./update-record.ts";

/** How often a version that came by an update was started, this start included. */
export interface StartCount {
  /** The version that worked last; undefined where that is not known. */
  readonly before: string | undefined;
  /** Whether this version has not worked yet, and another has. */
  readonly isFirst: boolean;
  /** Whether the version before is being put in the place of this one. */
  readonly isUndone: boolean;
  readonly starts: number;
}

/** By the application of this process, which starts once. */
const counted = new WeakMap<object, StartCount>();

/** Counts this start, once, on the disk: before anything that may fail. */
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
      // A person who installs it by hand wants it tried.
      refused: refused.filter((one) => one !== version),
      ...(isReturning !== true && { undone: undefined }),
    });
  }
  counted.set(app, count);
  return count;
}

/** The machine or a person ended this start: it says nothing about the version. */
export function takeBackStart(folder: UpdateFolder): void {
  const { trying } = folder.record;
  if (trying) folder.change({ trying: { ...trying, starts: Math.max(0, trying.starts - 1) } });
}
