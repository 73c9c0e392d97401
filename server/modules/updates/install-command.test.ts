import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";
import { commandFor, type Installation } from "./install-command.ts";

const DEB = "tillgate_0.2.0_arm64.deb";
const TAR = "tillgate-0.2.0-linux-x64.tar.gz";
const HEX = "0".repeat(64);
const NEWEST = {
  version: "0.2.0",
  debs: { amd64: "tillgate_0.2.0_amd64.deb", arm64: DEB },
  archives: { x64: TAR },
  sha256: { [DEB]: HEX, [TAR]: HEX },
};
const HTTPS = "https://updates.example/tillgate";
const of = (installation: Installation, feed = HTTPS, arch = "x64") =>
  commandFor(NEWEST, { installation, arch, feed });

it("a command fetches the file from the feed and installs it as this program was", () => {
  expect(of("DEBIAN")).toBe(
    `wget ${HTTPS}/tillgate_0.2.0_amd64.deb && sudo apt install ./tillgate_0.2.0_amd64.deb`,
  );
  expect(of("DEBIAN", `${HTTPS}/`, "arm64")).toBe(
    `wget ${HTTPS}/${DEB} && sudo apt install ./${DEB}`,
  );
  expect(of("ARCHIVE")).toBe(`wget ${HTTPS}/${TAR} && tar -xzf ${TAR}`);
  expect(of("CONTAINER")).toBe(
    `wget ${HTTPS}/${TAR} && tar -xzf ${TAR} && docker compose -f tillgate-0.2.0-linux-x64/container/compose.yaml up -d --build`,
  );
  expect(of("SOURCES")).toBe("git fetch --tags && git checkout v0.2.0 && npm ci");
});

it("what no TLS protects is compared with the checksum of the signed feed", () => {
  const check = `echo "${HEX}  ${DEB}" | sha256sum --check`;
  expect(of("DEBIAN", "http://10.0.0.2/tillgate", "arm64")).toBe(
    `wget http://10.0.0.2/tillgate/${DEB} && ${check} && sudo apt install ./${DEB}`,
  );
  expect(of("DEBIAN", "/mnt/share", "arm64")).toBe(
    `cp /mnt/share/${DEB} . && ${check} && sudo apt install ./${DEB}`,
  );
});

it("a feed's address is one word of the command, and shows no password", () => {
  expect(of("ARCHIVE", "https://olga:secret@updates.example")).toBe(
    `wget https://updates.example/${TAR} && tar -xzf ${TAR}`,
  );
  const folder = "/mnt/olga's disk; reboot";
  const [, copy = ""] = /^(cp .*? \.) && /.exec(of("ARCHIVE", folder)) ?? [];
  const words = execFileSync("sh", ["-c", copy.replace("cp", `printf '%s\\n'`)], {
    encoding: "utf8",
  });
  expect(words).toBe(`${folder}/${TAR}\n.\n`);
});

it.each(["a.deb; reboot", "../a.deb", "-a.deb", "$(reboot).deb", "a.sh"])(
  "a file that a feed calls %j is not told",
  (amd64) => {
    const newest = { version: "0.2.0", debs: { amd64 } };
    const here = { installation: "DEBIAN", arch: "x64", feed: HTTPS } as const;
    expect(commandFor(newest, here)).toBe("tillgate 0.2.0");
  },
);
