import { generateKeyPairSync } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createGateway, type Gateway, signFeed } from "../../../index.ts";
import { HOUR, MINUTE } from "../../../lib/clock.ts";
import { FakeClock } from "../../../testing/fake-clock.ts";
import { TEST_OVERRIDES, testConfig } from "../../../testing/first-day.ts";
import { FeedReader } from "./index.ts";
import { isNewer } from "./newer-version.ts";

const DEBS = { amd64: "tillgate_0.2.0_amd64.deb", arm64: "tillgate_0.2.0_arm64.deb" };
const EXPIRES = "2099-01-01T00:00:00.000Z";
const NEWER = JSON.stringify({ version: "0.2.0", debs: DEBS, expires: EXPIRES });
let dir: string;
let served: Map<string, string>;
let asked: number;
let server: Server;
let feed: string;
beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), "tillgate-feed-"));
  served = new Map([["/shop/latest-server.json", NEWER]]);
  asked = 0;
  server = createServer((request, response) => {
    asked += 1;
    const body = served.get(request.url ?? "");
    response.statusCode = body === undefined ? 404 : 200;
    response.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  feed = `http://127.0.0.1:${(server.address() as AddressInfo).port}/shop`;
});
afterEach(async () => {
  await new Promise((resolve) => server.close(resolve));
  rmSync(dir, { recursive: true });
});

describe("a gateway with a feed", () => {
  let gateway: Gateway;
  let clock: FakeClock;
  async function start(updates: string | undefined): Promise<void> {
    clock = new FakeClock();
    gateway = await createGateway({ ...testConfig(dir), updates }, { ...TEST_OVERRIDES, clock });
    await gateway.listen();
  }
  async function pass(milliseconds: number): Promise<void> {
    clock.set(clock.now() + milliseconds);
    await gateway.context.updates.idle();
  }
  const newerVersion = async () => (await gateway.context.monitoring.getFigures()).newerVersion;
  afterEach(() => gateway.close());

  it("reports a newer version while the feed lists it, and queries the feed every six hours", async () => {
    await start(feed);
    expect(asked).toBe(0);
    await pass(MINUTE);
    expect([asked, await newerVersion()]).toEqual([1, "0.2.0"]);
    const { newerCommand } = await gateway.context.monitoring.getFigures();
    expect(newerCommand).toBe("git fetch --tags && git checkout v0.2.0 && npm ci");
    await pass(5 * HOUR);
    expect(asked).toBe(1);
    server.closeAllConnections();
    served.clear();
    await pass(HOUR);
    expect([asked, await newerVersion()]).toEqual([2, "0.2.0"]);
    served.set("/shop/latest-server.json", JSON.stringify({ version: "0.1.0", debs: {} }));
    await pass(6 * HOUR);
    expect([asked, await newerVersion()]).toEqual([3, undefined]);
  });

  it("queries nothing if no feed is configured", async () => {
    await start(undefined);
    await pass(24 * HOUR);
    expect([asked, await newerVersion()]).toEqual([0, undefined]);
  });
});

describe("an update feed", () => {
  const read = (from: string, clock = new FakeClock()) =>
    new FeedReader({ feed: from, resourcesDir: dir }).read(clock, new AbortController().signal);

  it("can be read from a folder", async () => {
    writeFileSync(join(dir, "latest-server.json"), NEWER);
    expect(await read(dir)).toMatchObject({ version: "0.2.0" });
  });

  it("needs a valid signature if the program has the feed's key", async () => {
    const { publicKey, privateKey } = generateKeyPairSync("ed25519");
    const pem = publicKey.export({ type: "spki", format: "pem" });
    writeFileSync(join(dir, "update-feed-key.pem"), pem);
    await expect(read(feed)).rejects.toThrow("answered 404");
    const signature = signFeed(Buffer.from(NEWER), privateKey);
    served.set("/shop/latest-server.json.sig", signature);
    expect(await read(feed)).toMatchObject({ version: "0.2.0" });
    served.set("/shop/latest-server.json", NEWER.replaceAll("0.2.0", "0.3.0"));
    await expect(read(feed)).rejects.toThrow("is not signed with the key");
    const other = generateKeyPairSync("ed25519").privateKey;
    served.set("/shop/latest-server.json", NEWER);
    served.set("/shop/latest-server.json.sig", signFeed(Buffer.from(NEWER), other));
    await expect(read(feed)).rejects.toThrow("is not signed with the key");
  });

  it("expires if it is signed, so that an old copy cannot hide a newer version", async () => {
    const { publicKey, privateKey } = generateKeyPairSync("ed25519");
    const pem = publicKey.export({ type: "spki", format: "pem" });
    writeFileSync(join(dir, "update-feed-key.pem"), pem);
    const serve = (list: object) => {
      const text = JSON.stringify({ version: "0.2.0", debs: DEBS, ...list });
      served.set("/shop/latest-server.json", text);
      served.set("/shop/latest-server.json.sig", signFeed(Buffer.from(text), privateKey));
    };
    const clock = new FakeClock();
    serve({ expires: new Date(clock.now() + HOUR).toISOString() });
    expect(await read(feed, clock)).toMatchObject({ version: "0.2.0" });
    clock.set(clock.now() + HOUR + 1);
    await expect(read(feed, clock)).rejects.toThrow("expired on");
    for (const list of [{}, { expires: "soon" }]) {
      serve(list);
      await expect(read(feed)).rejects.toThrow("does not say when it expires");
    }
  });

  it.each(["", "[]", '{"version":"0.2"}', '{"version":"0.2.0; reboot","debs":{}}'])(
    "causes an error if its content is %j",
    async (body) => {
      served.set("/shop/latest-server.json", body);
      await expect(read(feed)).rejects.toThrow(/not as a release writes it|JSON/);
    },
  );
});

it("version comparison is numeric, part by part", () => {
  expect(isNewer("0.10.0", "0.9.9")).toBe(true);
  expect(isNewer("0.1.0", "0.1.0")).toBe(false);
  expect(isNewer("0.1.9", "1.0.0")).toBe(false);
  expect(isNewer("next", "0.1.0")).toBe(false);
});
