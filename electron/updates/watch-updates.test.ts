import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { startOnKeptThread } from "../../server/testing/kept-threads.ts";
import { asNewer } from "../../server/testing/newer-version.ts";
import { startApp } from "../bootstrap.ts";
import { ElectronStandIn } from "../testing/electron-stand-in.ts";
import { createNodeExecutor, ReleaseFeed } from "../testing/release-feed.ts";

const LONGEST_MS = 20_000;
let folder: string;
let running: ElectronStandIn[];
let feed: ReleaseFeed;
let resourcesDir: string;
let program: string;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  folder = await mkdtemp(join(tmpdir(), "tillgate-update-"));
  await writeFile(join(folder, "index.html"), "<!doctype html><title>The till</title>");
  feed = await ReleaseFeed.start();
  resourcesDir = feed.makeResources(join(folder, "resources"));
  program = join(folder, "Tillgate.AppImage");
  writeFileSync(program, "version 1.2.3");
  chmodSync(program, 0o755);
  vi.stubEnv("APPIMAGE", program);
  running = [];
  reported = [];
  vi.spyOn(process.stderr, "write").mockImplementation((line) => reported.push(String(line)) > 0);
});
afterEach(async () => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  for (const electron of running) {
    if (electron.exitCode === undefined) {
      for (const window of electron.windows) window.isClosed = true;
      electron.asElectron().app.quit();
      await electron.ended;
    }
  }
  await feed.close();
  await rm(folder, { recursive: true, force: true });
});

async function start(
  updateFeed: string | undefined,
  {
    isPackaged = true,
    version = "1.2.3",
    resources = resourcesDir,
    fault = "",
    failsToLoad = false,
  } = {},
): Promise<ElectronStandIn> {
  const electron = new ElectronStandIn({ isPackaged, version, failsToLoad });
  if (fault !== "") {
    electron.safeStorage.isEncryptionAvailable = () => {
      throw new Error(fault);
    };
  }
  running.push(electron);
  await startApp(electron.asElectron(), {
    gateway: {
      dataDir: join(folder, "data"),
      port: 0,
      logLevel: "silent",
      rendererDir: folder,
      resourcesDir: resources,
      startErrand: startOnKeptThread,
    },
    preload: join(folder, "preload.cjs"),
    updateFeed,
    installEnv: {
      platform: "linux",
      resourcesPath: "",
      appImage: program,
      localAppData: undefined,
    },
    updateExecutor: createNodeExecutor(),
  });
  return electron;
}

async function openShop(electron: ElectronStandIn) {
  const { url } = electron.windows[0]!;
  const json = { "content-type": "application/json" };
  const body = { shopName: "S", currency: "USD", language: "en", ownerPin: "471183" };
  const request = { method: "POST", headers: json, body: JSON.stringify(body) };
  const answer = await fetch(`${url}/pos/setup`, request);
  const cookie = answer.headers.getSetCookie()[0]?.split(";", 1)[0] ?? "";
  return async (path: string, sent: object) => {
    const posted = { method: "POST", headers: { ...json, cookie }, body: JSON.stringify(sent) };
    const answered = await fetch(`${url}/pos${path}`, posted);
    expect(answered.status).toBe(200);
    return answered;
  };
}

async function stateSaid(electron: ElectronStandIn): Promise<unknown> {
  const url = `${electron.windows[0]!.url}/`;
  return electron.invoke("update:state", { url, parent: null });
}
const inPlace = () => readFileSync(program, "utf8");
const untilAsked = (count: number) =>
  vi.waitFor(
    () => expect(feed.asked.filter((name) => name.endsWith(".yml"))).toHaveLength(count),
    LONGEST_MS,
  );

let reported: string[];
const untilReported = (text: string) =>
  vi.waitFor(() => expect(reported.join("")).toContain(text), LONGEST_MS);

test("the program sends no update request without a feed or in development", {
  tags: ["thorough"],
}, async () => {
  feed.publish("1.3.0", "version 1.3.0");
  for (const [place, isPackaged] of [
    [undefined, true],
    [feed.url, false],
  ] as const) {
    const electron = await start(place, { isPackaged });
    vi.advanceTimersByTime(24 * 60 * 60_000);
    expect(feed.asked).toEqual([]);
    expect(await stateSaid(electron)).toEqual({ ready: false });
    electron.asElectron().app.quit();
    await electron.ended;
  }
});

test("a fetched version waits for the end of the shift, and the page shows that it waits", {
  tags: ["thorough"],
}, async () => {
  const electron = await start(feed.url);
  await untilReported("404 Not Found");
  const post = await openShop(electron);
  const shiftId = "0b6f3a52-6a2e-4c1b-9f0e-1f2a3b4c5d6e";
  await post("/shifts", { shiftId, float: 0 });
  expect(await stateSaid(electron)).toEqual({ ready: false });

  feed.publish("1.3.0", "version 1.3.0");
  vi.advanceTimersByTime(4 * 60 * 60_000);
  await vi.waitFor(
    async () => expect(await stateSaid(electron)).toEqual({ ready: true }),
    LONGEST_MS,
  );
  await vi.advanceTimersByTimeAsync(5 * 60_000);
  expect(inPlace()).toBe("version 1.2.3");
  expect(electron.questions).toEqual([]);

  await post(`/shifts/${shiftId}/close`, { counted: 0 });
  vi.advanceTimersByTime(60_000);
  await electron.ended;
  expect(inPlace()).toBe("version 1.3.0");
  expect(electron.relaunched).toEqual([program]);
  expect([electron.exitCode, electron.questions]).toEqual([0, []]);
});

test("an update waits at most a day for purchases by API key, and installs without confirmation", {
  tags: ["thorough"],
}, async () => {
  const electron = await start(feed.url);
  await untilReported("404 Not Found");
  const post = await openShop(electron);
  const { secret } = await (await post("/keys", { environment: "test", name: "Web" })).json();
  // The provider fails for the whole day, so the purchase stays unfinished.
  const body = {
    offerId: "TIGO_GT_TOPUP_25",
    transactionId: "bought",
    recipientPhoneNumber: "+50251239004",
  };
  const bought = await fetch(`${electron.windows[0]!.url}/v1/topups/purchases`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${secret}` },
    body: JSON.stringify(body),
  });
  expect(bought.status).toBe(200);

  feed.publish("1.3.0", "version 1.3.0");
  vi.advanceTimersByTime(4 * 60 * 60_000);
  const versions = join(folder, "data", "updates", "versions.json");
  const record = () => JSON.parse(readFileSync(versions, "utf8"));
  await vi.waitFor(() => expect(record().held?.version).toBe("1.3.0"), LONGEST_MS);
  const begun = record().held.since;
  await vi.advanceTimersByTimeAsync(60 * 60_000);
  expect([inPlace(), electron.exitCode, record().held.since]).toEqual([
    "version 1.2.3",
    undefined,
    begun,
  ]);
  expect(await stateSaid(electron)).toEqual({ ready: true });
  for (const window of electron.windows) window.isClosed = true;
  electron.asElectron().app.quit();
  await electron.ended;

  const since = begun - 24 * 60 * 60_000;
  writeFileSync(versions, JSON.stringify({ ...record(), held: { version: "1.3.0", since } }));
  const later = await start(feed.url);
  await later.ended;
  expect([inPlace(), later.exitCode, later.questions]).toEqual(["version 1.3.0", 0, []]);

  // The purchase is not lost: the new version resumes it.
  const newer = await start(undefined, { version: "1.3.0" });
  const found = await fetch(`${newer.windows[0]!.url}/v1/topups/purchases/bought`, {
    headers: { authorization: `Bearer ${secret}` },
  });
  expect(await found.json()).toMatchObject({ status: "IN_PROGRESS" });
  await vi.waitFor(() => expect(record().held).toBeUndefined(), LONGEST_MS);
});

test("the program requests the feed every four hours, even after a failed request", async () => {
  await start(feed.url);
  await untilReported("Update: 404 Not Found\n");
  expect(feed.asked).toEqual(["latest-linux.yml"]);
  vi.advanceTimersByTime(4 * 60 * 60_000);
  await untilAsked(2);
});

test("the program refuses an unsigned feed and a changed file", async () => {
  feed.publish("1.3.0", "version 1.3.0");
  const yml = feed.files.get("latest-linux.yml")?.toString() ?? "";
  feed.files.set("latest-linux.yml", Buffer.from(yml.replaceAll("1.3.0", "1.4.0")));
  await start(feed.url);
  await untilReported("is not signed with the key");

  feed.publish("1.3.0", "version 1.3.0");
  feed.files.set("Tillgate-1.3.0.AppImage", Buffer.from("another file!"));
  vi.advanceTimersByTime(4 * 60 * 60_000);
  await untilReported("sha512 checksum mismatch");
  expect(inPlace()).toBe("version 1.2.3");
});

test("the program installs nothing while a staged roll-out excludes this machine", async () => {
  feed.publish("1.3.0", "version 1.3.0", { stagingPercentage: 0 });
  const electron = await start(feed.url);
  await vi.waitFor(() => expect(feed.asked).toContain("latest-linux.yml.sig"), LONGEST_MS);
  feed.publish("1.3.0", "version 1.3.0", { stagingPercentage: 100 });
  const asked = () => feed.asked.filter((name) => name.endsWith(".yml")).length;
  await vi.waitFor(() => {
    // The next request starts only after the previous response has been read.
    if (asked() < 2) vi.advanceTimersByTime(4 * 60 * 60_000);
    expect(asked()).toBeGreaterThan(1);
  }, LONGEST_MS);
  await electron.ended;
  expect({ program: inPlace(), reported }).toMatchObject({ program: "version 1.3.0" });
});

test("a folder with a signed version list can be a feed", async () => {
  feed.publish("1.3.0", "version 1.3.0");
  const share = join(folder, "share");
  mkdirSync(share);
  for (const [name, body] of feed.files) writeFileSync(join(share, name), body);
  const electron = await start(share);
  await vi.waitFor(() => expect(inPlace()).toBe("version 1.3.0"), LONGEST_MS);
  await electron.ended;
});

test("an unsigned feed that is not an https address is refused with a one-line error", async () => {
  const without = join(import.meta.dirname, "../../resources");
  for (const place of ["http://updates.example", folder]) {
    const electron = await start(place, { resources: without });
    expect(electron.exitCode).toBe(1);
    expect(electron.errorBoxes[0]?.content).toMatch(/^TILLGATE_UPDATES must be an https address/);
    expect(electron.windows).toEqual([]);
  }
});

async function ask(electron: ElectronStandIn, path: string, cookie: string) {
  const answer = await fetch(`${electron.windows[0]!.url}/pos${path}`, { headers: { cookie } });
  return answer.json();
}

test("a version that does not start is undone: the previous version runs with all data, and reports the failure", {
  tags: ["thorough"],
}, async () => {
  feed.publish("1.3.0", "version 1.3.0");
  const first = await start(undefined);
  await openShop(first);
  first.asElectron().app.quit();
  await first.ended;
  const second = await start(feed.url);
  await second.ended;
  expect(inPlace()).toBe("version 1.3.0");

  feed.publish("1.4.0", "version 1.4.0");
  const third = await start(feed.url, { version: "1.3.0" });
  await third.ended;
  expect(inPlace()).toBe("version 1.4.0");
  // Version 1.4.0 changes the tables and fails twice: before it listens, and when its window loads.
  for (const fault of [{ fault: "no such thing" }, { failsToLoad: true }]) {
    const failing = await asNewer(() => start(feed.url, { version: "1.4.0", ...fault }));
    await failing.ended;
    expect([failing.exitCode, failing.relaunched, failing.errorBoxes]).toEqual([0, [program], []]);
    expect(inPlace()).toBe("version 1.3.0");
  }
  expect(reported.join("")).toContain("1.4.0 does not start (no such thing); 1.3.0 is put back");

  feed.asked.length = 0;
  const back = await start(feed.url, { version: "1.3.0" });
  expect(back.errorBoxes).toEqual([]);
  await untilAsked(1);
  await new Promise(setImmediate);
  vi.advanceTimersByTime(4 * 60 * 60_000);
  await untilAsked(2);
  expect(feed.asked).not.toContain("Tillgate-1.4.0.AppImage");
  const cookie = await signIn(back);
  const { list } = await ask(back, "/audit-trail?limit=10", cookie);
  expect(
    list.map(({ action, subject }: Record<string, string>) => [action, subject]),
  ).toContainEqual(["program.go-back", "1.4.0"]);
  feed.publish("1.5.0", "version 1.5.0");
  vi.advanceTimersByTime(4 * 60 * 60_000);
  await back.ended;
  expect(inPlace()).toBe("version 1.5.0");
});

async function signIn(electron: ElectronStandIn): Promise<string> {
  const { url } = electron.windows[0]!;
  const { list: staff } = await (await fetch(`${url}/pos/staff/names`)).json();
  const answer = await fetch(`${url}/pos/session`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ staffId: staff[0].staffId, pin: "471183" }),
  });
  return answer.headers.getSetCookie()[0]?.split(";", 1)[0] ?? "";
}

test("an error of the machine does not undo a version", async () => {
  const first = await start(undefined, { version: "1.3.0" });
  await openShop(first);
  first.asElectron().app.quit();
  await first.ended;
  writeFileSync(join(folder, "data", "tillgate.db"), "damaged");
  const failing = await start(undefined, { version: "1.4.0" });
  expect([failing.exitCode, failing.relaunched]).toEqual([1, []]);
  expect(failing.errorBoxes[0]?.content).toContain("cannot be used");
});

test("a failed version shows instructions if the previous version's installer is not stored", {
  tags: ["thorough"],
}, async () => {
  const first = await start(undefined, { version: "1.3.0" });
  await openShop(first);
  first.asElectron().app.quit();
  await first.ended;
  const failing = await asNewer(() =>
    start(undefined, { version: "1.4.0", fault: "no such thing" }),
  );
  expect([failing.exitCode, failing.relaunched]).toEqual([1, []]);
  expect(failing.errorBoxes[0]?.content).toMatch(
    /no such thing\s+Tillgate 1.4.0 did not start, and nothing was sold/,
  );
  const back = await start(undefined, { version: "1.3.0" });
  expect([back.errorBoxes, back.windows.length]).toEqual([[], 1]);
});
