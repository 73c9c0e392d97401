import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createPackage } from "@electron/asar";

/** Marker of the fuses in Electron's program. */
const SENTINEL = "dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX";
const FUSE_COUNT = 9;

/**
 * Makes a placeholder for Electron's runtime: a program that contains only fuses, with the version,
 * licences and a real archive. It does not start.
 */
export async function makeStandInRuntime(folder: string, version: string): Promise<void> {
  await mkdir(join(folder, "resources"), { recursive: true });
  const fuses = Buffer.concat([
    Buffer.from("#!/bin/sh\necho 'This is not Electron.' >&2; exit 1\n"),
    Buffer.from(SENTINEL),
    Buffer.from([1, FUSE_COUNT]),
    Buffer.alloc(FUSE_COUNT, "0"),
  ]);
  await writeFile(join(folder, "electron"), fuses, { mode: 0o755 });
  await writeFile(join(folder, "version"), version);
  for (const name of ["LICENSE", "LICENSES.chromium.html"]) {
    await writeFile(join(folder, name), "The licence of the real runtime stands here.\n");
  }
  const source = await mkdtemp(join(tmpdir(), "tillgate-default-app-"));
  await writeFile(join(source, "package.json"), JSON.stringify({ main: "main.js" }));
  await writeFile(join(source, "main.js"), "");
  await createPackage(source, join(folder, "resources/default_app.asar"));
  await rm(source, { recursive: true });
}
