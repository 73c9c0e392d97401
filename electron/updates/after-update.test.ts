import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { asNewer } from "../../server/testing/newer-version.ts";
import { ElectronStandIn } from "../testing/electron-stand-in.ts";
import { UpdatingShop } from "../testing/updating-shop.ts";
import { beginStart } from "./begin-start.ts";

/** In these tests, version 1.3.0 starts after an update from version 1.2.3, which worked. */
const STARTS = 3;
let shop: UpdatingShop;
let reported: string[];
beforeEach(async () => {
  reported = [];
  vi.spyOn(process.stderr, "write").mockImplementation((line) => reported.push(String(line)) > 0);
  shop = await UpdatingShop.open();
  vi.stubEnv("APPIMAGE", shop.program);
  const first = await shop.start({ feed: "" });
  await shop.quit(first);
  shop.feed.publish("1.3.0", "version 1.3.0");
  const second = await shop.start();
  await second.ended;
  expect(shop.inPlace).toBe("version 1.3.0");
});
afterEach(async () => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  await shop.close();
});

const startNext = (more: Parameters<UpdatingShop["start"]>[0] = {}) =>
  shop.start({ version: "1.3.0", feed: "", ...more });

async function startUnreadable(): Promise<ElectronStandIn> {
  const electron = new ElectronStandIn({ isPackaged: true, version: "1.3.0" });
  const installEnv = {
    platform: "linux",
    resourcesPath: shop.folder,
    appImage: shop.program,
    localAppData: undefined,
  } as const;
  const places = { dataDir: shop.dataDir, rendererDir: shop.folder, resourcesDir: shop.folder };
  await beginStart(electron.asElectron(), { ...places, installEnv }, () =>
    Promise.reject(new Error("Cannot find module 'bootstrap.js'")),
  );
  return electron;
}

test("a start does not count against the version if an error of the machine or the settings ends it", async () => {
  const other = createServer((_request, response) => response.end());
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
  const { port } = other.address() as AddressInfo;
  for (let count = 0; count <= STARTS; count++) {
    const taken = await startNext({ port });
    expect([taken.exitCode, taken.relaunched]).toEqual([1, []]);
    // Only the owner can correct an invalid feed, so the error is not the version's.
    const refused = await startNext({ feed: "nowhere" });
    expect([refused.exitCode, refused.relaunched]).toEqual([1, []]);
  }
  await new Promise((resolve) => other.close(resolve));
  const works = await startNext();
  expect([works.errorBoxes, works.relaunched]).toEqual([[], []]);
  expect(shop.record).toMatchObject({ works: "1.3.0", refused: [] });
});

test("interrupted starts count against the version", async () => {
  const { countStart } = await import("./start-count.ts");
  const { UpdateFolder } = await import("./update-record.ts");
  for (let count = 0; count < STARTS; count++) {
    const electron = new ElectronStandIn({ isPackaged: true, version: "1.3.0" });
    countStart(electron.asElectron().app, new UpdateFolder(shop.dataDir));
  }
  const next = await startNext();
  expect([next.exitCode, next.relaunched, shop.inPlace]).toEqual([
    0,
    [shop.program],
    "version 1.2.3",
  ]);
});

test("a version with an empty page is undone", {
  tags: ["thorough"],
}, async () => {
  const failing = await asNewer(() => startNext({ isPageEmpty: true }));
  await failing.ended;
  expect(reported.join("")).toContain("1.3.0 does not start (its window stays empty)");
  expect([failing.exitCode, failing.relaunched]).toEqual([0, [shop.program]]);
  const back = await shop.start({ feed: "" });
  expect([shop.inPlace, back.errorBoxes]).toEqual(["version 1.2.3", []]);
});

test("a version that worked before is not undone because of an empty page", async () => {
  const works = await startNext();
  await shop.quit(works);
  const empty = await startNext({ isPageEmpty: true });
  expect([empty.exitCode, empty.errorBoxes, empty.relaunched]).toEqual([undefined, [], []]);
});

test("a new version whose program cannot be read is undone at once", async () => {
  const unreadable = await startUnreadable();
  expect([unreadable.exitCode, unreadable.relaunched, unreadable.errorBoxes]).toEqual([
    0,
    [shop.program],
    [],
  ]);
  expect(shop.inPlace).toBe("version 1.2.3");
  expect(shop.record.refused).toEqual(["1.3.0"]);
  const back = await shop.start({ feed: "" });
  expect(back.errorBoxes).toEqual([]);
});

test("an unreadable version that ran before is not undone, because it may have changed the shop", {
  tags: ["thorough"],
}, async () => {
  await asNewer(() => startNext({ isPageEmpty: true, installEnv: { appImage: undefined } }));
  const unreadable = await startUnreadable();
  expect([unreadable.exitCode, unreadable.relaunched]).toEqual([1, []]);
  expect(unreadable.errorBoxes[0]?.content).toMatch(/cannot be read: Cannot find module/);
  expect(shop.inPlace).toBe("version 1.3.0");
});
