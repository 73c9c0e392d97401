import type { ElectronMain } from "../electron-main.ts";
import type { UpdateFolder } from "./update-record.ts";

/** Number of starts of a version that came by an update, including this one. */
export interface StartCount {
  /** Version that worked last; undefined if unknown. */
  readonly before: string | undefined;
  /** True if this version has not worked yet, and another has. */
  readonly isFirst: boolean;
  /** True if the previous version is replacing this one. */
  readonly isUndone: boolean;
  readonly starts: number;
}

/** By the application of this process, which starts once. */
const counted = new WeakMap<object, StartCount>();

/** Counts this start once, on the disk, before any step that may fail. */
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
      // A person who installs it by hand wants another attempt.
      refused: refused.filter((one) => one !== version),
      ...(isReturning !== true && { undone: undefined }),
    });
  }
  counted.set(app, count);
  return count;
}

/** Uncounts a start that the machine or a person ended, because it is no evidence against the version. */
export function uncountStart(folder: UpdateFolder): void {
  const { trying } = folder.record;
  if (trying) folder.change({ trying: { ...trying, starts: Math.max(0, trying.starts - 1) } });
}
