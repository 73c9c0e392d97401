import { once } from "node:events";
import { cpSync, existsSync, readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { startOnKeptThread } from "../../server/testing/kept-threads.ts";
import { startApp } from "../bootstrap.ts";
import { ElectronStandIn } from "../testing/electron-stand-in.ts";
import { readKeptPort } from "./kept-port.ts";

const [AGAIN, LEAVE, MOVE] = [0, 1, 2];
const RESOURCES = join(import.meta.dirname, "../../resources");

let folder: string;
let usual: number;
let holder: Server | undefined;
let running: ElectronStandIn[];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "tillgate-first-start-"));
  await writeFile(join(folder, "index.html"), "<!doctype html>");
  running = [];
  usual = await takePort(0);
  await freePort();
});
afterEach(async () => {
  for (const electron of running) {
    if (electron.exitCode !== undefined) continue;
    for (const window of electron.windows) window.isClosed = true;
    electron.asElectron().app.quit();
    await electron.ended;
  }
  await freePort();
  await rm(folder, { recursive: true, force: true });
});

async function takePort(port: number): Promise<number> {
  holder = createServer((socket) => socket.destroy()).listen(port, "127.0.0.1");
  await once(holder, "listening");
  return (holder.address() as { port: number }).port;
}

async function freePort(): Promise<void> {
  if (holder === undefined) return;
  const closed = once(holder, "close");
  holder.close();
  holder = undefined;
  await closed;
}

interface Begun {
  readonly dataDir?: string;
  readonly presses?: number[];
  readonly picked?: string;
}

async function start({ dataDir = join(folder, "data"), presses = [], picked }: Begun = {}) {
  const electron = new ElectronStandIn({ userData: join(folder, "user") });
  electron.presses = presses;
  electron.picked = picked;
  running.push(electron);
  await startApp(electron.asElectron(), {
    gateway: {
      dataDir,
      port: usual,
      hasOwnPort: true,
      logLevel: "silent",
      rendererDir: folder,
      resourcesDir: RESOURCES,
      startErrand: startOnKeptThread,
    },
    preload: join(folder, "preload.cjs"),
  });
  return electron;
}

function portOf(electron: ElectronStandIn): number {
  return Number(new URL(electron.windows[0]?.url ?? "http://nowhere").port);
}

async function end(electron: ElectronStandIn): Promise<void> {
  electron.windows[0]?.close();
  await electron.ended;
}

describe("the port of a till", () => {
  test("equals the default port; if that port is in use, a first start stores the next free port", async () => {
    await takePort(usual);
    const first = await start();
    const own = portOf(first);
    expect(own).toBeGreaterThan(usual);
    expect(first.questions.at(-1)?.message).toContain(String(own));
    await end(first);
    await freePort();

    const second = await start();
    expect(portOf(second)).toBe(own);
    expect(second.questions).toEqual([]);
  });

  test("does not change while the page may have an unsent sale, and the message offers no other port", async () => {
    const first = await start();
    expect(portOf(first)).toBe(usual);
    first.windows[0]!.webContents.keepsSale = true;
    await end(first);
    await takePort(usual);

    const second = await start({ presses: [AGAIN, LEAVE] });
    expect(second.windows).toEqual([]);
    expect(second.exitCode).toBe(0);
    expect(second.questions).toHaveLength(2);
    expect(second.questions[0]?.buttons).toHaveLength(2);
    expect(second.questions[0]?.detail).toContain("venta pagada");
    expect(readKeptPort(join(folder, "data"))).toEqual({ port: usual, unsent: "perhaps" });
  });

  test("changes if a person chooses another port and the page has no unsent sale", async () => {
    await end(await start());
    expect(readKeptPort(join(folder, "data"))).toEqual({ port: usual, unsent: "none" });
    await takePort(usual);
    const moved = await start({ presses: [MOVE] });
    expect(moved.questions[0]?.buttons).toHaveLength(3);
    expect(portOf(moved)).toBeGreaterThan(usual);
    expect(readKeptPort(join(folder, "data"))?.unsent).toBe("perhaps");
  });

  test("causes a message with the shop's name if another Tillgate uses the port", async () => {
    const other = await start();
    await setUp(other);
    const mine = join(folder, "mine");
    cpSync(join(folder, "data", "desktop-port.json"), join(mine, "desktop-port.json"));
    const second = await start({ dataDir: mine, presses: [0, LEAVE] });
    expect(second.questions.at(-1)?.detail).toContain("Sol");
  });
});

async function setUp(electron: ElectronStandIn): Promise<void> {
  const owner = { shopName: "Sol", currency: "USD", language: "es", ownerPin: "471183" };
  const answer = await fetch(`${electron.windows[0]?.url}/pos/setup`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(owner),
  });
  expect(answer.status).toBe(200);
}

describe("the offer to copy an existing shop", () => {
  const [TAKE_OVER, COPY] = [1, 1];

  test("describes the shop and copies it, unless the shop's gateway runs", {
    tags: ["thorough"],
  }, async () => {
    const clone = join(folder, "clone");
    const old = await start({ dataDir: clone });
    await setUp(old);
    const refused = await start({ presses: [TAKE_OVER, 0, 0], picked: clone });
    expect(refused.questions[1]).toMatchObject({ type: "error" });
    expect(refused.questions[1]?.detail).toContain("close it first");
    await end(refused);
    await rm(join(folder, "data"), { recursive: true });
    await end(old);

    const adopted = await start({ presses: [TAKE_OVER, COPY], picked: clone });
    expect(adopted.questions[1]?.message).toBe("Sol");
    const status = await (await fetch(`${adopted.windows[0]?.url}/pos/status`)).json();
    expect(status).toMatchObject({ setUp: true, shopName: "Sol" });
    expect(existsSync(join(clone, "tillgate.db"))).toBe(true);
    expect(readFileSync(join(clone, "secrets.key"))).toEqual(
      readFileSync(join(folder, "data", "secrets.key")),
    );
  });

  test("does not appear again after a new shop was created", async () => {
    const first = await start();
    expect(first.questions).toHaveLength(1);
    await end(first);
    expect((await start()).questions).toEqual([]);
  });
});
