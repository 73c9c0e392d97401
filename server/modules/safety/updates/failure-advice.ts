import { findWayBack } from "./going-back.ts";

type Places = Parameters<typeof findWayBack>[0];

/**
 * Returns advice about a version that does not start: whether the previous version can be installed
 * again, and how that affects the data.
 * @returns undefined if this version has worked before, or if no version has worked
 */
export async function adviceAfterFailure(
  places: Places,
  version: string,
): Promise<string | undefined> {
  const { way, before } = await findWayBack(places, version);
  if (before === undefined || before === version) return undefined;
  const install = `Install Tillgate ${before} again (Debian: sudo apt install --allow-downgrades ./tillgate_${before}_amd64.deb)`;
  switch (way) {
    case "SAME":
      return `Tillgate ${version} did not start, and changed nothing. ${install}: it goes on with everything there is.`;
    case "BACKUP":
      return `Tillgate ${version} did not start, and nothing was sold since it was installed. ${install}: it puts the backup from before the update back by itself, and nothing is lost.`;
    case "NO_BACKUP":
      return `Tillgate ${version} did not start, and nothing was sold since it was installed; but the backup from before the update is not where it was made. ${install} once the backup is there again, or else a later version; the data is kept as it is.`;
    case "WRITTEN":
      return `Tillgate ${version} does not start any more. Nothing was sold or recharged since it was installed, but something else was entered, which a backup would lack. Install a later version; the data is kept as it is.`;
    case "SOLD":
      return `Tillgate ${version} does not start any more, and has written since it was installed. Restore no backup: what was sold or recharged since would be missing. Install a later version; the data is kept as it is.`;
  }
}
