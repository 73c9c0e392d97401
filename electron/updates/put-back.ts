import type { ElectronMain } from "../electron-main.ts";
import type { Installer } from "./installer.ts";
import type { UpdateFolder } from "./update-record.ts";

interface Way {
  readonly folder: UpdateFolder;
  readonly installer: Installer;
  readonly before: string | undefined;
  readonly kept: string;
  readonly reason: string;
}

/**
 * Replaces this version with the previous version, and ends the program. First records the refusal
 * of this version, so that the next start repeats the replacement after a power failure.
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
