import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { test as base, expect } from "@playwright/test";
import { LAYOUT_SHIFT } from "../.ci/checks/tally.ts";
import type { Language } from "../server/contract/pos/setup.ts";
import { keepGivenPins } from "../server/testing/direct-writes.ts";
import { Counter } from "./pages/counter.ts";
import { SignIn } from "./pages/sign-in.ts";
import {
  describeShift,
  describeShifts,
  followLayoutShifts,
  type LayoutShift,
} from "./support/layout-shift.ts";
import { inShop, makeFirstDay } from "./support/shop-data.ts";
import { endShop, type ShopProcess, startShop } from "./support/shop-process.ts";
import { useTypingClock } from "./support/typing-clock.ts";

export type { ShopProcess };
export { expect };

export const OWNER_PIN = "471183";
export const CLERK = { name: "Ana", pin: "2583" };

/**
 * A tenth of the layout shift score that counts as good. Smaller shifts are only reported, because
 * a busy machine may cause them.
 */
const MOST_SHIFT = 0.01;

interface Fixtures {
  /** A gateway before its first start. */
  newMachine: ShopProcess;
  freshShop: ShopProcess;
  /**
   * A shop in Guatemala with an owner and the clerk Ana, selling in the test environment. Both have
   * an open shift with an empty drawer.
   */
  shop: ShopProcess;
  signIn: SignIn;
  counter: Counter;
  /** Unexpected layout shifts of the test's pages. Large shifts fail the test. */
  layoutShifts: readonly LayoutShift[];
}

/** Data directories that tests copy. Each worker creates them only once. */
interface WorkerFixtures {
  freshData: string;
  shopData: string;
}

export const test = base.extend<Fixtures, WorkerFixtures>({
  // Excludes announcements, which repeat visible texts, from searches by text.
  page: async ({ page }, use) => {
    const onScreen = page.locator("css=:not([data-announcer] *)");
    const getByText = page.getByText.bind(page);
    page.getByText = (...wanted) => getByText(...wanted).and(onScreen);
    await useTypingClock(page);
    await use(page);
  },

  layoutShifts: [
    async ({ context }, use, info) => {
      const shifts = await followLayoutShifts(context);
      await use(shifts);
      if (shifts.length > 0) {
        info.annotations.push({ type: LAYOUT_SHIFT, description: describeShifts(shifts) });
      }
      const sum = shifts.reduce((total, { value }) => total + value, 0);
      expect(sum > MOST_SHIFT ? shifts.map(describeShift) : [], "what jumped by itself").toEqual(
        [],
      );
    },
    { auto: true },
  ],

  freshData: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures from the pattern
    async ({}, use) => {
      const dataDir = await makeFirstDay();
      await use(dataDir);
      await rm(dataDir, { recursive: true, force: true });
    },
    { scope: "worker" },
  ],

  shopData: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures from the pattern
    async ({}, use) => {
      const dataDir = await makeFirstDay();
      await setUp({ dataDir }, { name: "Tienda Sol", language: "en" });
      await hireClerk({ dataDir });
      await inShop(dataDir, async (context) => {
        const { accountId, shifts, staff } = context;
        for (const person of await staff.list(accountId)) {
          const worker = { ...person, accountId, environment: "test", training: false } as const;
          await shifts.open(worker, { shiftId: randomUUID(), float: 0 });
        }
      });
      await use(dataDir);
      await rm(dataDir, { recursive: true, force: true });
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
  readonly language: Language;
  /**
   * Currency of the shop, and its rate to one dollar. Default: the currency and rate of Guatemala.
   */
  readonly money?: readonly [currency: string, rate: string];
}

export async function setUp(
  { dataDir }: Pick<ShopProcess, "dataDir">,
  { name, language, money: [currency, rate] = ["GTQ", "7.75"] }: ShopToSetUp,
): Promise<void> {
  const owner = { ownerName: "Rosa", ownerPin: OWNER_PIN };
  await inShop(dataDir, ({ shop, accountId }) =>
    // Sells at the provider's suggested prices. `first-run.spec.ts` tests the default prices.
    shop.setUp(accountId, {
      shopName: name,
      language,
      currency,
      rate,
      prices: "SUGGESTED",
      ...owner,
    }),
  );
}

export async function hireClerk(
  { dataDir }: Pick<ShopProcess, "dataDir">,
  name = CLERK.name,
): Promise<void> {
  await inShop(dataDir, async ({ staff, accountId, db }) => {
    const owner = (await staff.list(accountId)).find(({ role }) => role === "owner");
    const actor = { accountId, staffId: owner!.staffId };
    await staff.add(actor, { name, pin: CLERK.pin, role: "clerk" });
    await keepGivenPins(db);
  });
}

export async function chooseOwnPin(
  { url }: Pick<ShopProcess, "url">,
  { staffId, given, own }: { staffId: string; given: string; own: string },
): Promise<void> {
  const answer = await fetch(`${url}/pos/session`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ staffId, pin: given, newPin: own }),
  });
  expect(answer.ok).toBe(true);
}

export async function openShift(
  { url }: Pick<ShopProcess, "url">,
  name: string,
  pin: string,
): Promise<void> {
  const json = { "content-type": "application/json" };
  const { list } = await (await fetch(`${url}/pos/staff/names`)).json();
  const { staffId } = list.find((person: { name: string }) => person.name === name);
  const send = async (path: string, headers: Record<string, string>, body: object) => {
    const answer = await fetch(`${url}/pos${path}`, {
      method: "POST",
      headers: { ...json, ...headers },
      body: JSON.stringify(body),
    });
    expect(answer.status).toBe(200);
    return answer;
  };
  const session = await send("/session", {}, { staffId, pin });
  const cookie = session.headers.get("set-cookie")?.split(";", 1)[0] ?? "";
  await send("/shifts", { cookie }, { shiftId: randomUUID(), float: 0 });
}
