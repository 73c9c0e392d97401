import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";
import { commandFor, type Installation } from "./newer-version.ts";

const DEB = "tillgate_0.2.0_arm64.deb";
const AMD64 = "tillgate_0.2.0_amd64.deb";
const TAR = "tillgate-0.2.0-linux-x64.tar.gz";
const HEX = "0".repeat(64);
const NEWEST = {
  version: "0.2.0",
  debs: { amd64: AMD64, arm64: DEB },
  archives: { x64: TAR },
  sha256: { [AMD64]: HEX, [DEB]: HEX, [TAR]: HEX },
};
const HTTPS = "https://updates.example/tillgate";
const of = (installation: Installation, feed = HTTPS, arch = "x64") =>
  commandFor(NEWEST, { installation, arch, feed });

it("the command downloads the file from the feed, checks it, and installs it as this program was installed", () => {
  const check = (name: string) => `echo "${HEX}  ${name}" | sha256sum --check`;
  expect(of("DEBIAN")).toBe(
    `wget ${HTTPS}/${AMD64} && ${check(AMD64)} && sudo apt install ./${AMD64}`,
  );
  expect(of("DEBIAN", `${HTTPS}/`, "arm64")).toBe(
    `wget ${HTTPS}/${DEB} && ${check(DEB)} && sudo apt install ./${DEB}`,
  );
  expect(of("ARCHIVE")).toBe(`wget ${HTTPS}/${TAR} && ${check(TAR)} && tar -xzf ${TAR}`);
  expect(of("CONTAINER")).toBe(
    `wget ${HTTPS}/${TAR} && ${check(TAR)} && tar -xzf ${TAR} && docker compose -f tillgate-0.2.0-linux-x64/container/compose.yaml up -d --build`,
  );
  expect(of("SOURCES")).toBe("git fetch --tags && git checkout v0.2.0 && npm ci");
});

it("the command compares the file with the signed feed's checksum, regardless of the file's source", () => {
  const check = `echo "${HEX}  ${DEB}" | sha256sum --check`;
  for (const feed of [HTTPS, "http://10.0.0.2/tillgate"]) {
    expect(of("DEBIAN", feed, "arm64")).toBe(
      `wget ${feed}/${DEB} && ${check} && sudo apt install ./${DEB}`,
    );
  }
  expect(of("DEBIAN", "/mnt/share", "arm64")).toBe(
    `cp /mnt/share/${DEB} . && ${check} && sudo apt install ./${DEB}`,
  );
});

it("the command does not name a file without a checksum in the feed", () => {
  const { sha256: _none, ...newest } = NEWEST;
  const here = { installation: "DEBIAN", arch: "arm64", feed: HTTPS } as const;
  expect(commandFor(newest, here)).toBe("tillgate 0.2.0");
});

it("the command contains the feed's address as a single shell word, without its password", () => {
  expect(of("ARCHIVE", "https://olga:secret@updates.example")).toBe(
    `wget https://updates.example/${TAR} && echo "${HEX}  ${TAR}" | sha256sum --check && tar -xzf ${TAR}`,
  );
  const folder = "/mnt/olga's disk; reboot";
  const [, copy = ""] = /^(cp .*? \.) && /.exec(of("ARCHIVE", folder)) ?? [];
  const words = execFileSync("sh", ["-c", copy.replace("cp", `printf '%s\\n'`)], {
    encoding: "utf8",
  });
  expect(words).toBe(`${folder}/${TAR}\n.\n`);
});

it.each(["a.deb; reboot", "../a.deb", "-a.deb", "$(reboot).deb", "a.sh"])(
  "the command does not name a file that a feed calls %j",
  (amd64) => {
    const newest = { version: "0.2.0", debs: { amd64 }, sha256: { [amd64]: HEX } };
    const here = { installation: "DEBIAN", arch: "x64", feed: HTTPS } as const;
    expect(commandFor(newest, here)).toBe("tillgate 0.2.0");
  },
);
