import { posix } from "node:path";
import type { NewerVersion } from "./newer-version.ts";

export type Installation = "DEBIAN" | "ARCHIVE" | "CONTAINER" | "SOURCES";

interface Here {
  installation: Installation;
  arch: string;
  /** Address of the feed: a folder on a web server, a disk or the network. */
  feed: string;
}

/**
 * Returns the command that downloads a version, compares it with the checksum in the signed feed,
 * and installs it as this program was installed (rules#update-feed).
 */
export function commandFor(newest: NewerVersion, { installation, arch, feed }: Here): string {
  const { version, debs, archives } = newest;
  if (installation === "SOURCES") return `git fetch --tags && git checkout v${version} && npm ci`;
  const name =
    installation === "DEBIAN"
      ? debs[arch === "arm64" ? "arm64" : "amd64"]
      : archives?.[arch === "arm64" ? "arm64" : "x64"];
  // Omits a name that a shell could interpret.
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
  // Removes credentials, because the gateway stores the command and shows it to owners.
  url.username = "";
  url.password = "";
  return `wget ${quote(url.href)}`;
}

function quote(word: string): string {
  return /^[\w./:@%+~-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
