import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { type Static, Type } from "typebox";
import { findJson } from "../../../lib/checked-json.ts";
import { writeFileWhole } from "../../../lib/write-file.ts";

const VERSION = /^(\d{1,6})\.(\d{1,6})\.(\d{1,6})$/;

/** What a feed says of the newest server: `latest-server.json`. */
export const NewerVersion = Type.Object({
  version: Type.String({ pattern: VERSION.source }),
  /** Until when this list counts, by ISO 8601: a signed one has to say. */
  expires: Type.Optional(Type.String()),
  /** What installs it on Debian and its kin, by processor, as their packager calls it. */
  debs: Type.Object({
    amd64: Type.Optional(Type.String()),
    arm64: Type.Optional(Type.String()),
  }),
  /** What is unpacked anywhere, by processor. */
  archives: Type.Optional(
    Type.Object({ x64: Type.Optional(Type.String()), arm64: Type.Optional(Type.String()) }),
  ),
  /** Of each of these files, by its name: the feed's signature covers them too by that. */
  sha256: Type.Optional(Type.Record(Type.String(), Type.String({ pattern: "^[0-9a-f]{64}$" }))),
});
export type NewerVersion = Static<typeof NewerVersion>;

/** Whether a version is later than another. What is not three numbers is later than nothing. */
export function isNewer(version: string, than: string): boolean {
  const [one, other] = [version, than].map((text) =>
    (VERSION.exec(text) ?? []).slice(1).map(Number),
  );
  if (one?.length !== 3 || other?.length !== 3) return false;
  for (const [place, number] of one.entries()) {
    const difference = number - (other[place] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return false;
}

/** Beside the database: a command of the owner's reads it too, and nothing is sold by it. */
function noteOf(dataDir: string): string {
  return join(dataDir, "newer-version.json");
}

export async function readNewer(dataDir: string): Promise<NewerVersion | undefined> {
  const text = await readFile(noteOf(dataDir), "utf8").catch(() => undefined);
  return text === undefined ? undefined : findJson(NewerVersion, text);
}

export async function writeNewer(dataDir: string, newest: NewerVersion): Promise<void> {
  await writeFileWhole(noteOf(dataDir), JSON.stringify(newest));
}

export async function forgetNewer(dataDir: string): Promise<void> {
  await rm(noteOf(dataDir), { force: true });
}
