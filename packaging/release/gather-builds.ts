import { readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** The installers of one version for updates, as electron-builder lists them: each entry's lines. */
const FILES = /^files:\n(?<entries>(?:[ \t].*\n)+)/m;

/** Files that only a build's folder has; an unpacked program has none of them. */
const INSTALLERS = /^latest.*\.yml$|\.deb$|\.tar\.gz$/;

/**
 * Merges the builds of several machines: moves the files of each build's folder into the folder above. Two builds
 * for one system, one for each processor, write lists of the same name: they become one list with both installers.
 * @throws where two builds have different files of one name
 */
export async function gatherBuilds(dir: string): Promise<void> {
  const folders = (await readdir(dir, { withFileTypes: true })).filter((one) => one.isDirectory());
  for (const { name: folder } of folders.toSorted((a, b) => a.name.localeCompare(b.name))) {
    const inside = await readdir(join(dir, folder), { withFileTypes: true });
    if (!inside.some(({ name }) => INSTALLERS.test(name))) continue;
    for (const entry of inside) {
      if (entry.isFile()) await bring(join(dir, folder, entry.name), join(dir, entry.name));
    }
    if ((await readdir(join(dir, folder))).length === 0) {
      await rm(join(dir, folder), { recursive: true });
    }
  }
}

async function bring(from: string, to: string): Promise<void> {
  const there = await readFile(to).catch(() => undefined);
  if (there === undefined) return rename(from, to);
  const other = await readFile(from);
  if (!there.equals(other)) {
    if (!/latest.*\.yml$/.test(to)) {
      throw new Error(`There are two builds of ${to}, and they differ.`);
    }
    await writeFile(to, joinLists(there.toString(), other.toString()));
  }
  await rm(from);
}

/** Adds the installers of the second list that the first one lacks. */
function joinLists(first: string, second: string): string {
  const known = entriesOf(first);
  const more = entriesOf(second).filter((entry) => !known.includes(entry));
  return first.replace(FILES, () => `files:\n${[...known, ...more].join("")}`);
}

function entriesOf(list: string): string[] {
  const { entries = "" } = FILES.exec(list)?.groups ?? {};
  return entries.split(/^(?= *- )/m).filter((entry) => entry !== "");
}
