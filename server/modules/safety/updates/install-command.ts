import { posix } from "node:path";
import type { NewerVersion } from "./newer-version.ts";

/** How this program came here. */
export type Installation = "DEBIAN" | "ARCHIVE" | "CONTAINER" | "SOURCES";

interface Here {
  installation: Installation;
  arch: string;
  /** A web server's folder, or one of a disk or of the network. */
  feed: string;
}

/**
 * What a person types to have a version: from fetching it to installing it, as this program was installed. Wherever
 * it is fetched from, it is compared with the checksum that the feed's signature covers; a file without one is not
 * named (rules#update-feed).
 */
export function commandFor(newest: NewerVersion, { installation, arch, feed }: Here): string {
  const { version, debs, archives } = newest;
  if (installation === "SOURCES") return `git fetch --tags && git checkout v${version} && npm ci`;
  const name =
    installation === "DEBIAN"
      ? debs[arch === "arm64" ? "arm64" : "amd64"]
      : archives?.[arch === "arm64" ? "arm64" : "x64"];
  // Names are a feed's: what could be another command is left out.
  const isPlain = name !== undefined && /^[A-Za-z0-9][A-Za-z0-9._+-]*\.(deb|tar\.gz)$/.test(name);
  const digest = name === undefined ? undefined : newest.sha256?.[name];
  if (!isPlain || digest === undefined) return `tillgate ${version}`;
  const folder = name.replace(/\.tar\.gz$/, "");
  const steps: Record<Exclude<Installation, "SOURCES">, string[]> = {
    DEBIAN: [`sudo apt install ./${name}`],
    ARCHIVE: [`tar -xzf ${name}`],
    CONTAINER: [
      `tar -xzf ${name}`,
      `docker compose -f ${folder}/container/compose.yaml up -d --build`,
    ],
  };
  return [
    fetch(name, feed),
    `echo "${digest}  ${name}" | sha256sum --check`,
    ...steps[installation],
  ].join(" && ");
}

function fetch(name: string, feed: string): string {
  if (!/^https?:/i.test(feed)) return `cp ${quote(posix.join(feed, name))} .`;
  const url = new URL(name, feed.endsWith("/") ? feed : `${feed}/`);
  // It is shown to owners, and kept.
  url.username = "";
  url.password = "";
  return `wget ${quote(url.href)}`;
}

/** A shell takes it as one word, whatever is in it. */
function quote(word: string): string {
  return /^[\w./:@%+~-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
