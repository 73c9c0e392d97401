import type { ElectronMain } from "../electron-main.ts";
import type { Installer } from "./installer.ts";
import type { UpdateFolder } from "./update-record.ts";

interface Way {
  readonly folder: UpdateFolder;
  readonly installer: Installer;
  readonly before: string | undefined;
  /** The installer of the version before. */
  readonly kept: string;
  /** What is the matter with this version. */
  readonly reason: string;
}

/**
 * Puts the version before in the place of this one, and ends. The refusal is on the disk before anything else is
 * done: whenever the power goes, the next start does the same once more.
 */
export async function putBack(
  { app }: Pick<ElectronMain, "app">,
  { folder, installer, before, kept, reason }: Way,
): Promise<void> {
  const version = app.getVersion();
  const others = folder.record.refused.filter((one) => one !== version);
  folder.change({ refused: [...others, version], undone: version, isReturning: true });
  process.stderr.write(`Update: ${version} does not start (${reason}); ${before} is put back\n`);
  await installer.prepare(kept);
  await installer.finish(kept);
  app.exit(0);
}
