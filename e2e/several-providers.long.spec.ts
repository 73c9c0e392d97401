/** Sells one product through two providers, and counts the orders that each of them books. */
import { sql } from "kysely";
import type { Offer } from "../server/contract/v1/offers.ts";
import type { Context } from "../server/gateway/context.ts";
import type { Gateway } from "../server/index.ts";
import { systemClock } from "../server/lib/clock.ts";
import { writerOf } from "../server/testing/direct-writes.ts";
import {
  acceptHonestly,
  type Behaviour,
  type FakeUpstream,
  startFakeUpstream,
} from "../server/testing/fake-upstream.ts";
import { giveLiveCatalog } from "../server/testing/live-catalog.ts";
import { CLERK, expect, OWNER_PIN, type ShopProcess, test } from "./fixtures.ts";
import { Counter } from "./pages/counter.ts";
import { SignIn } from "./pages/sign-in.ts";
import { inShop } from "./support/shop-data.ts";

const SOLD = "TIGO_GT_TOPUP_5";
/** Each sale has another number, because the till asks before it repeats a delivered top-up. */
const NUMBERS = "5025300400";
/** Cost of the product in cents. */
const COSTS = { South: 60, North: 55 } as const;
const FUNDS = 50_000;
const LIVE = { accountId: "default", environment: "live", staffId: undefined } as const;

type Sellers = Record<keyof typeof COSTS, FakeUpstream>;

test("a sale ends at another provider only after a certain refusal, and the cheapest that works sells", async ({
  page,
  shop,
}) => {
  test.setTimeout(240_000);
  const sellers = await startSellers();
  const { South, North } = sellers;
  await connectBoth(shop, sellers);
  await page.goto(shop.url);
  await new SignIn(page).as(CLERK.name, CLERK.pin);
  const counter = new Counter(page);
  await counter.isReady();

  const booked = () => ({ South: South.books.size, North: North.books.size });
  async function sell(sale: number, during = async () => {}): Promise<void> {
    await counter.type(`${NUMBERS}${sale}`);
    await counter.press("Enter");
    await expect(counter.tile(/Q 5\b/).first()).toBeVisible();
    await counter.press("1");
    await expect(counter.primary(/Take payment/)).toBeEnabled();
    await during();
    await counter.press("Enter");
  }
  async function delivered(sale: number): Promise<void> {
    await expect(counter.panel.getByText(`Sale ${sale}`, { exact: true })).toBeVisible();
    await expect(counter.panel.getByText("Delivered", { exact: true }).first()).toBeVisible();
  }
  async function asOwner(hash: string, look: () => Promise<void>): Promise<void> {
    await page.keyboard.press("F9");
    await new SignIn(page).as("Rosa", OWNER_PIN);
    await counter.isReady();
    await page.goto(`${shop.url}/#/office/${hash}`);
    await look();
    await page.keyboard.press("F9");
    await new SignIn(page).as(CLERK.name, CLERK.pin);
    await counter.isReady();
  }
  const main = page.getByRole("main");

  await test.step("the cheaper provider sells", async () => {
    await sell(1);
    await delivered(1);
    expect(booked()).toEqual({ South: 0, North: 1 });
  });

  await test.step("the owner sees which provider sells, and the cost at the other", async () => {
    await asOwner(`prices?view=why&offer=${SOLD}`, async () => {
      const line = "Sold through North at a cost of $0.55. Other providers: South $0.60";
      await expect(main.getByText(line)).toBeVisible();
    });
  });

  await test.step("a provider that goes down during the sale received nothing: the other sells", async () => {
    await sell(2, () => North.down());
    await delivered(2);
    expect(booked()).toEqual({ South: 1, North: 1 });
    await North.up();
    await asOwner("sales", async () => {
      await page.getByRole("list", { name: "Sales" }).getByRole("button").first().click();
      const timeline = page.getByRole("list", { name: "Timeline" });
      await expect(timeline).toContainText(/Sent to the provider.*Moved to South.*Delivered/);
    });
  });

  await test.step("a provider that goes down after it received the order keeps the sale", async () => {
    const { ask } = North;
    North.submit = ({ accept, request }) => {
      Object.assign(accept(), { cost: COSTS.North });
      request.socket.destroy();
    };
    North.ask = ({ request }) => request.socket.destroy();
    await sell(3);
    await expect(counter.panel.getByText("Pending").first()).toBeVisible({ timeout: 60_000 });
    expect(booked()).toEqual({ South: 1, North: 2 });

    North.ask = ask;
    North.submit = acceptAt("North");
    // After a power cut, the shop asks for unknown outcomes at once.
    await shop.kill();
    await expect(page.getByText("Reconnecting…", { exact: true })).toBeVisible();
    await shop.start();
    await expect(page.getByText("Reconnecting…")).toHaveCount(0);
    const heading = counter.panel.getByRole("heading", { name: "Delivered" });
    await expect(heading).toBeVisible({ timeout: 60_000 });
    expect(booked()).toEqual({ South: 1, North: 2 });
    expect([...North.submissions.values()]).toEqual([1, 1]);
  });

  await test.step("the next provider sells if the balance at the first is too low, and the page says so", async () => {
    North.submit = ({ reply }) => {
      const message = "The wallet is short.";
      reply(400, { errorCode: "INSUFFICIENT_FUNDS", message, fields: {} });
    };
    await sell(4);
    await delivered(4);
    expect(booked()).toEqual({ South: 2, North: 2 });
    await asOwner("providers", async () => {
      const row = (name: string) => main.getByRole("row").filter({ hasText: name }).first();
      await expect(row("North")).toContainText("Check key and balance");
      await expect(row("South")).toContainText("Working");
      await main.getByRole("link", { name: "North" }).click();
      await expect(main.getByText("The balance at the provider was too low.")).toBeVisible();
    });
  });

  await test.step("later sales go to the other provider at once, until the balance is higher", async () => {
    const asked = North.submissions.size;
    await sell(5);
    await delivered(5);
    expect([North.submissions.size, booked()]).toEqual([asked, { South: 3, North: 2 }]);
    await asOwner(`prices?view=why&offer=${SOLD}`, async () => {
      const line = "Sold through South at a cost of $0.60. Other providers: North $0.55";
      await expect(main.getByText(line)).toBeVisible();
    });
  });

  await Promise.all([South.close(), North.close()]);
});

function acceptAt(name: keyof typeof COSTS): Behaviour {
  return (exchange) => {
    Object.assign(exchange.accept(), { cost: COSTS[name] });
    acceptHonestly(exchange);
  };
}

async function startSellers(): Promise<Sellers> {
  const [South, North] = await Promise.all([
    startFakeUpstream(systemClock),
    startFakeUpstream(systemClock),
  ]);
  South.submit = acceptAt("South");
  North.submit = acceptAt("North");
  return { South, North };
}

/** Connects both providers and switches the shop to live, while its gateway is not running. */
async function connectBoth(shop: ShopProcess, sellers: Sellers): Promise<void> {
  await shop.stop();
  await inShop(shop.dataDir, async (context) => {
    await giveLiveCatalog({ gateway: { context } as Gateway, clock: systemClock }, [SOLD]);
    await context.recharges.recharge(LIVE, FUNDS);
    for (const newName of ["South", "North"] as const) {
      const { url: baseUrl } = sellers[newName];
      const key = `live_a-secret-of-${newName.toLowerCase()}-0123456789`;
      await context.upstream.connect(LIVE, { baseUrl, key, allowPrivate: true, newName });
    }
    await stateCosts(context);
    await sql`update shops set till_environment = 'live'`.execute(writerOf(context.db));
    for (const person of await context.staff.list(LIVE.accountId)) {
      const worker = { ...person, ...LIVE, staffId: person.staffId, training: false };
      await context.shifts.open(worker, { shiftId: crypto.randomUUID(), float: 0 });
    }
  });
  await shop.start();
}

/** Writes the product at both providers, each at its cost. */
async function stateCosts({ transactor }: Context): Promise<void> {
  await transactor.transact(LIVE.accountId, async (tx) => {
    const { checksum: _, ...row } = await tx
      .deleteFrom("offers")
      .where("environment", "=", "live")
      .returningAll()
      .executeTakeFirstOrThrow();
    const offer = JSON.parse(row.offer_json) as Offer;
    const toJson = (offerId: string, fixed: number) =>
      JSON.stringify({ ...offer, offerId, cost: { ...offer.cost, fixed } });
    const offer_id = `${SOLD}:p2`;
    const place = { offer_id, product_id: SOLD, provider_id: "p2" };
    const offers = [
      { ...row, offer_json: toJson(SOLD, COSTS.South) },
      { ...row, ...place, offer_json: toJson(offer_id, COSTS.North) },
    ];
    await tx.insertInto("offers").values(offers).execute();
  });
}
