import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";

const CHECKSUMS = "SHA256SUMS";

/** Writes SHA256SUMS in the format of `sha256sum --check`. */
export async function writeChecksums(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries
    .filter((entry) => entry.isFile() && entry.name !== CHECKSUMS)
    .map(({ name }) => name)
    .toSorted();
  const lines: string[] = [];
  for (const name of names) {
    lines.push(`${await digestOf(join(folder, name))}  ${name}\n`);
  }
  await writeFile(join(folder, CHECKSUMS), lines.join(""));
  return names;
}

export async function digestOf(file: string): Promise<string> {
  const digest = createHash("sha256");
  await pipeline(createReadStream(file), digest);
  return digest.digest("hex");
}
