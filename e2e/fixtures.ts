import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test as base, expect } from "@playwright/test";
import { typeCommand } from "../server/testing/run-program.ts";
import { type ServerProcess, startServerProcess } from "../server/testing/server-process.ts";
import { Counter } from "./pages/counter.ts";
import { SignIn } from "./pages/sign-in.ts";

export { expect };

export const OWNER_PIN = "4711";
export const CLERK = { name: "Ana", pin: "2580" };

/** A real gateway on a data directory of its own. */
export interface ShopProcess {
  readonly url: string;
  readonly dataDir: string;
  admin(...args: string[]): Promise<string>;
  /** Calls `/v1` as an integrator with the test key. */
  v1(path: string): Promise<Record<string, unknown>>;
  /** Pulls the plug. */
  kill(): Promise<void>;
  /** Starts it again where it was. */
  start(): Promise<void>;
}

interface Fixtures {
  /** A gateway that nobody has set up. */
  freshShop: ShopProcess;
  /**
   * A shop in Guatemala, with an owner and the clerk Ana, selling in the test environment. Both
   * have their shift open, with an empty drawer.
   */
  shop: ShopProcess;
  signIn: SignIn;
  /** The counter, with Ana signed in. */
  counter: Counter;
}

export const test = base.extend<Fixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures from the pattern
  freshShop: async ({}, use) => {
    const dataDir = await mkdtemp(join(tmpdir(), "tillgate-e2e-"));
    let server: ServerProcess = await startServerProcess(dataDir);
    const { url } = server;
    let key = "";

    async function admin(...args: string[]): Promise<string> {
      const { exitCode, stdout, stderr } = await typeCommand(dataDir, args);
      expect(exitCode, stderr).toBe(0);
      return stdout.trim();
    }

    await use({
      url,
      dataDir,
      admin,
      async v1(path) {
        key ||= await admin("keys", "create", "--env", "test", "--name", "integrator");
        const headers = { authorization: `Bearer ${key}` };
        const response = await fetch(`${url}/v1${path}`, { headers });
        return (await response.json()) as Record<string, unknown>;
      },
      async kill() {
        await server.kill("SIGKILL");
      },
      async start() {
        server = await startServerProcess(dataDir, new URL(url).port);
      },
    });

    await server.kill("SIGTERM");
    await admin("audit");
    await rm(dataDir, { recursive: true, force: true });
  },

  shop: async ({ freshShop }, use) => {
    await setUp(freshShop, { name: "Tienda Sol", language: "en" });
    await hireClerk(freshShop.url);
    await openShift(freshShop, "Rosa", OWNER_PIN);
    await openShift(freshShop, CLERK.name, CLERK.pin);
    await use(freshShop);
  },

  signIn: async ({ page, shop }, use) => {
    await page.goto(shop.url);
    await use(new SignIn(page));
  },

  counter: async ({ page, signIn }, use) => {
    await signIn.as(CLERK.name, CLERK.pin);
    const counter = new Counter(page);
    await counter.isReady();
    await use(counter);
  },
});

interface ShopToSetUp {
  readonly name: string;
  readonly language: string;
  /** What customers pay in and how much of it is one dollar; a shop in Guatemala if left out. */
  readonly money?: readonly [currency: string, rate: string];
}

/** Sets a shop up, with Rosa as its owner. */
export async function setUp(
  shop: ShopProcess,
  { name, language, money: [currency, rate] = ["GTQ", "7.75"] }: ShopToSetUp,
): Promise<void> {
  const money = ["--currency", currency, "--rate", rate];
  const owner = ["--owner-name", "Rosa", "--owner-pin", OWNER_PIN];
  await shop.admin("setup", "--shop", name, "--language", language, ...money, ...owner);
}

/** The owner hires Ana, or somebody else, through the till's own door. */
export async function hireClerk(url: string, name = CLERK.name): Promise<void> {
  const rosa = await signInAt(url, "Rosa", OWNER_PIN);
  await rosa.post("/staff", { name, pin: CLERK.pin, role: "clerk" });
}

/** Opens somebody's shift as they would have in the morning, with an empty drawer. */
export async function openShift(
  { url }: Pick<ShopProcess, "url">,
  name: string,
  pin: string,
): Promise<void> {
  const person = await signInAt(url, name, pin);
  await person.post("/shifts", { shiftId: randomUUID(), float: 0 });
}

/** A session of its own, beside the browser's. */
async function signInAt(url: string, name: string, pin: string) {
  const json = { "content-type": "application/json" };
  const { list } = await (await fetch(`${url}/pos/staff/names`)).json();
  const { staffId } = list.find((person: { name: string }) => person.name === name);
  const session = await fetch(`${url}/pos/session`, {
    method: "POST",
    headers: json,
    body: JSON.stringify({ staffId, pin }),
  });
  const cookie = session.headers.get("set-cookie")?.split(";", 1)[0] ?? "";
  return {
    async post(path: string, body: object): Promise<void> {
      const request = { method: "POST", headers: { ...json, cookie }, body: JSON.stringify(body) };
      expect((await fetch(`${url}/pos${path}`, request)).status).toBe(200);
    },
  };
}
