import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { UnderWay } from "../../server/index.ts";
import { ElectronStandIn } from "../testing/electron-stand-in.ts";
import { UpdatingShop } from "../testing/updating-shop.ts";
import { UpdateFolder } from "./update-record.ts";
import type { Updater } from "./updater.ts";
import { UpdateWatch } from "./watch-updates.ts";

// The tests check that, at every moment, either the old or the new till is installed.

/** Time limit of each wait. */
const LONGEST_MS = 20_000;
const MINUTE_MS = 60_000;
let shop: UpdatingShop;
let reported: string[];
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  reported = [];
  vi.spyOn(process.stderr, "write").mockImplementation((line) => reported.push(String(line)) > 0);
  shop = await UpdatingShop.open();
  vi.stubEnv("APPIMAGE", shop.program);
});
afterEach(async () => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  await shop.close();
});

const untilReported = (text: string) =>
  vi.waitFor(() => expect(reported.join("")).toContain(text), LONGEST_MS);
const untilState = (electron: ElectronStandIn, state: object) =>
  vi.waitFor(async () => expect(await shop.state(electron)).toEqual(state), LONGEST_MS);
async function expectFailed(electron: ElectronStandIn): Promise<void> {
  await untilState(electron, { ready: true, failed: true });
  const { url } = electron.windows[0]!;
  expect((await fetch(`${url}/pos/status`)).status).toBe(200);
  expect([electron.exitCode, electron.relaunched]).toEqual([undefined, []]);
}

const SEES = "seen";
const setupProgram = () =>
  `#!/bin/sh\nls "${shop.dataDir}" > "${shop.folder}/${SEES}.new"; mv "${shop.folder}/${SEES}.new" "${shop.folder}/${SEES}"\n`;

test("Windows: setup starts after the gateway has closed, and never if the program stays open", async () => {
  shop.feed.publish("1.3.0", setupProgram(), {}, "Tillgate-1.3.0.exe");
  const windows = { platform: "win32", appImage: undefined } as const;
  const electron = await shop.start({ installEnv: windows, feed: "" });
  await shop.quit(electron);

  const staying = await shop.start({ installEnv: windows });
  const [window] = staying.windows;
  // The page prevents its unload, and the person chooses to stay.
  window!.webContents.holdsUnload = true;
  await vi.waitFor(() => expect(staying.questions).toHaveLength(1), LONGEST_MS);
  await vi.advanceTimersByTimeAsync(59 * MINUTE_MS);
  expect(staying.questions).toHaveLength(1);
  expect(() => readFileSync(join(shop.folder, SEES))).toThrow("ENOENT");
  // Later, a person closes the program. This must not install the update.
  window!.webContents.holdsUnload = false;
  await shop.quit(staying);
  expect(() => readFileSync(join(shop.folder, SEES))).toThrow("ENOENT");

  const leaving = await shop.start({ installEnv: windows });
  await leaving.ended;
  const found = await vi.waitFor(() => readFileSync(join(shop.folder, SEES), "utf8"), LONGEST_MS);
  // Only a gateway that closed normally leaves this file.
  expect(found).toContain("tillgate.db-clean");
  expect(found).not.toContain("tillgate.db-wal");
  expect(leaving.relaunched).toEqual([]);
});

test("Windows: after a failed setup the old till reports the failure and waits before a retry", {
  tags: ["thorough"],
}, async () => {
  shop.feed.publish("1.3.0", "#!/nowhere/at/all\n", {}, "Tillgate-1.3.0.exe");
  const windows = { platform: "win32", appImage: undefined } as const;
  const leaving = await shop.start({ installEnv: windows });
  await leaving.ended;
  expect(leaving.relaunched).toEqual([process.execPath]);
  const again = await shop.start({ installEnv: windows });
  await expectFailed(again);
});

test("Debian: after a refused password the till stays open, reports the failure, and asks again later", async () => {
  const bin = join(shop.folder, "bin");
  mkdirSync(bin);
  writeFileSync(join(shop.folder, "package-type"), "deb");
  vi.stubEnv("PATH", `${bin}:${process.env.PATH}`);
  shop.writeProgram(
    join(bin, "pkexec"),
    `#!/bin/sh\necho asked >> "${shop.folder}/asked"\nexit 126\n`,
  );
  shop.feed.publish("1.3.0", "version 1.3.0", {}, "Tillgate-1.3.0.deb");
  const electron = await shop.start({ installEnv: { appImage: undefined } });
  await untilReported("pkexec: 126");
  await expectFailed(electron);
  await vi.advanceTimersByTimeAsync(30 * MINUTE_MS);
  expect(readFileSync(join(shop.folder, "asked"), "utf8")).toBe("asked\n");

  shop.writeProgram(join(bin, "pkexec"), "#!/bin/sh\nexit 0\n");
  await vi.advanceTimersByTimeAsync(31 * MINUTE_MS);
  await electron.ended;
  expect([electron.exitCode, electron.relaunched]).toEqual([0, [process.execPath]]);
});

test("macOS: the program asks the system again later if an installation did not end the program", async () => {
  let installs = 0;
  const updater: Updater = {
    fetchNewer: async () => ({ version: "1.3.0", file: "Tillgate.zip", sha512: "" }),
    install() {
      installs += 1;
      return new Promise(() => {});
    },
  };
  const electron = new ElectronStandIn({ isPackaged: true, version: "1.2.3" });
  const nothing: UnderWay = { lines: [], openShifts: [], purchases: 0, language: "en" };
  const gateway = { listUnfinished: async () => nothing };
  const folder = new UpdateFolder(shop.dataDir);
  const means = { folder, updater: Promise.resolve(updater), installer: undefined };
  const watch = new UpdateWatch(electron.asElectron(), gateway, means);
  watch.begin();
  await vi.waitFor(() => expect(installs).toBe(1), LONGEST_MS);
  expect(watch.endsForUpdate).toBe(true);
  await vi.advanceTimersByTimeAsync(5 * MINUTE_MS);
  expect(installs).toBe(1);

  // During a sale, the window stays open although the system asks the program to close.
  watch.stays();
  await vi.waitFor(() => expect(watch.endsForUpdate).toBe(false), LONGEST_MS);
  await vi.advanceTimersByTimeAsync(59 * MINUTE_MS);
  expect(installs).toBe(1);
  await vi.advanceTimersByTimeAsync(2 * MINUTE_MS);
  expect(installs).toBe(2);
  electron.asElectron().app.quit();
  await electron.ended;
});

test("the replacement of an AppImage is retried after an error, and a newer version is fetched first", async () => {
  const inTheWay = `${shop.program}.new`;
  mkdirSync(join(inTheWay, "folder"), { recursive: true });
  shop.feed.publish("1.3.0", "version 1.3.0");
  const electron = await shop.start();
  await expectFailed(electron);
  expect(shop.inPlace).toBe("version 1.2.3");

  rmSync(inTheWay, { recursive: true });
  shop.feed.publish("1.4.0", "version 1.4.0");
  vi.advanceTimersByTime(4 * 60 * MINUTE_MS);
  await electron.ended;
  expect(electron.relaunched).toEqual([shop.program]);
});
