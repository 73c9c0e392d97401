import {
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { placeOnce } from "../db/database-files.ts";
import { createGateway } from "../index.ts";
import { setWritable } from "../testing/direct-writes.ts";
import { FakeClock } from "../testing/fake-clock.ts";
import { TEST_OVERRIDES, testConfig } from "../testing/first-day.ts";
import { startTestGateway } from "../testing/test-gateway.ts";
import { requireUsablePlace } from "./preflight.ts";

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "tillgate-preflight-"));
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

function failing(code: string): typeof linkSync {
  return () => {
    throw Object.assign(new Error(code), { code });
  };
}

describe("a start", () => {
  it("fails with a message if the clock shows a year before Tillgate existed", async () => {
    const clock = new FakeClock(Date.UTC(2009, 0, 1));
    const start = createGateway(testConfig(dataDir), { ...TEST_OVERRIDES, clock });
    await expect(start).rejects.toThrow(
      /^The clock of this machine says 2009-01-01T00:00:00\.000Z, which cannot be right: .* Nothing was sold\. Set the clock/,
    );
    expect(existsSync(join(dataDir, "tillgate.db"))).toBe(false);
  });

  it("fails with a message if the key file cannot be used", async () => {
    writeFileSync(join(dataDir, "secrets.key"), "half a key", { mode: 0o600 });
    const start = createGateway(testConfig(dataDir), TEST_OVERRIDES);
    await expect(start).rejects.toMatchObject({
      message: expect.stringMatching(
        /^The key file .*secrets\.key is damaged: .* Nothing was sold\./,
      ),
      isLasting: true,
    });
  });

  it("fails with a message if the disk fails a step of the preflight", () => {
    mkdirSync(join(dataDir, "preflight-placed"));
    const start = () => requireUsablePlace({ dataDir, clock: new FakeClock() });
    expect(start).toThrow(/^Tillgate cannot keep a shop in .*: .*\. Nothing was sold\. Choose a/);
  });

  it("accepts a disk without hard links, and removes the files of an interrupted start", () => {
    writeFileSync(join(dataDir, "preflight-first"), "");
    requireUsablePlace({ dataDir, clock: new FakeClock(), link: failing("EPERM") });
    expect(readdirSync(dataDir)).toEqual([]);
  });
});

it("a key file that another process created on a disk without hard links is never replaced", () => {
  const [draft, file] = [join(dataDir, "draft"), join(dataDir, "secrets.key")];
  writeFileSync(draft, "mine");
  placeOnce(draft, file, failing("EPERM"));
  writeFileSync(draft, "another");
  expect(() => placeOnce(draft, file, failing("EPERM"))).toThrow(/is there already/);
  expect(() => placeOnce(draft, file, linkSync)).toThrow(/EEXIST/);
});

it.each([
  ["before it starts work", 0],
  ["while it starts work", 1],
])(
  "a database that is read-only %s leaves the gateway running, not ready, until it can be written",
  async (_when, turns) => {
    const gateway = await createGateway(testConfig(dataDir), TEST_OVERRIDES);
    const { db } = gateway.context;
    if (turns === 0) await setWritable(db, false);
    const { url } = await gateway.listen();
    if (turns > 0) await setWritable(db, false);
    const ready = async () => (await fetch(`${url}/readyz`)).status;
    gateway.readAhead();
    await gateway.whenChecked();
    await gateway.noteWorks();
    await expect.poll(ready).toBe(503);
    await setWritable(db, true);
    await expect.poll(ready, { timeout: 10_000 }).toBe(200);
    await gateway.close();
  },
);

it("a gateway on a disk with almost no free space is not ready, and names the disk", async () => {
  let free = 15_999_999;
  const till = await startTestGateway({ readFreeBytes: async () => free });
  const refused = await till.call("GET", "/readyz");
  expect(refused.status).toBe(503);
  expect(refused.body.message).toMatch(/15 MB are free on the disk of .*\. Make room on it\./);
  free = 16_000_000;
  expect((await till.call("GET", "/readyz")).status).toBe(200);
  await till.close();
});
