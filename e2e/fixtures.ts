import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { test as base, expect } from "@playwright/test";
import { Counter } from "./pages/counter.ts";
import { SignIn } from "./pages/sign-in.ts";
import { endShop, type ShopProcess, startShop } from "./support/shop-process.ts";

export type { ShopProcess };
export { expect };

export const OWNER_PIN = "4711";
export const CLERK = { name: "Ana", pin: "2580" };

interface Fixtures {
  /** A gateway at its very first start. */
  newMachine: ShopProcess;
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

/** Data directories that tests begin with copies of: what takes seconds is done once by each worker. */
interface WorkerFixtures {
  freshData: string;
  shopData: string;
}

export const test = base.extend<Fixtures, WorkerFixtures>({
  freshData: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures from the pattern
    async ({}, use) => {
      const machine = await startShop();
      await machine.stop();
      await use(machine.dataDir);
      await rm(machine.dataDir, { recursive: true, force: true });
    },
    { scope: "worker" },
  ],

  shopData: [
    async ({ freshData }, use) => {
      const shop = await startShop(freshData);
      await setUp(shop, { name: "Tienda Sol", language: "en" });
      await hireClerk(shop.url);
      await openShift(shop, "Rosa", OWNER_PIN);
      await openShift(shop, CLERK.name, CLERK.pin);
      await shop.stop();
      await use(shop.dataDir);
      await rm(shop.dataDir, { recursive: true, force: true });
    },
    { scope: "worker" },
  ],

  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures from the pattern
  newMachine: async ({}, use) => {
    const machine = await startShop();
    await use(machine);
    await endShop(machine);
  },

  freshShop: async ({ freshData }, use) => {
    const shop = await startShop(freshData);
    await use(shop);
    await endShop(shop);
  },

  shop: async ({ shopData }, use) => {
    const shop = await startShop(shopData);
    await use(shop);
    await endShop(shop);
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
