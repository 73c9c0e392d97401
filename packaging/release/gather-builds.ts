import { readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** The lines about installers in electron-builder's list. */
const FILES = /^files:\n(?<entries>(?:[ \t].*\n)+)/m;

/** Files that a folder contains only if it is a build, not an unpacked program. */
const INSTALLERS = /^latest.*\.yml$|\.deb$|\.tar\.gz$/;

/**
 * Merges the builds of several machines: moves the files of each build into the parent folder, and
 * merges the lists of two builds for one system.
 * @throws Error if two builds have different files of one name
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

function joinLists(first: string, second: string): string {
  const known = entriesOf(first);
  const more = entriesOf(second).filter((entry) => !known.includes(entry));
  return first.replace(FILES, () => `files:\n${[...known, ...more].join("")}`);
}

function entriesOf(list: string): string[] {
  const { entries = "" } = FILES.exec(list)?.groups ?? {};
  return entries.split(/^(?= *- )/m).filter((entry) => entry !== "");
}
