import type { Offer } from "../contract/v1/offers.ts";
import type { FakeReloadly } from "./fake-reloadly.ts";
import {
  acceptHonestly,
  type Exchange,
  type FakeUpstream,
  startFakeUpstream,
} from "./fake-upstream.ts";
import { OWNER, startReloadlyShop } from "./providers-under-test.ts";
import type { TestGateway } from "./test-gateway.ts";

/** The product that all three sell, with its cost at each of them in minor units. */
export const SHARED_OFFER = "RLD-88-5.00-USD";
export const COSTS = { first: 478, p2: 450, p3: 460 } as const;

export interface ShopOfThree {
  till: TestGateway;
  /** Sells by Reloadly's API, at the highest cost. */
  first: FakeReloadly;
  /** Sell by `/v1`. */
  p2: FakeUpstream;
  p3: FakeUpstream;
  /** Waits until no request is open. */
  settle(): Promise<void>;
  close(): Promise<void>;
}

/** Starts a shop whose live environment has three providers: the first, "North" and "South". */
export async function startShopOfThree(): Promise<ShopOfThree> {
  const { till, fake: first } = await startReloadlyShop();
  const settle = async () => {
    for (let turn = 0; turn < 2; turn++) {
      await till.settle();
      await till.gateway.context.engine.idle();
    }
    await till.settle();
  };
  await settle();
  const p2 = await addSeller(till, "p2", "North");
  const p3 = await addSeller(till, "p3", "South");
  await settle();
  return {
    till,
    first,
    p2,
    p3,
    settle,
    async close() {
      await settle();
      await till.close();
      await Promise.all([first, p2, p3].map((fake) => fake.close()));
    },
  };
}

async function addSeller(
  till: TestGateway,
  providerId: "p2" | "p3",
  newName: string,
): Promise<FakeUpstream> {
  const fake = await startFakeUpstream(till.clock);
  fake.submit = (exchange) => acceptAt(exchange, COSTS[providerId]);
  const key = `live_a-secret-of-${providerId}-0123456789`;
  const typed = { kind: "gateway", baseUrl: fake.url, key, allowPrivate: true } as const;
  await till.gateway.context.upstream.connect(OWNER, { ...typed, newName });
  await copyOffers(till, providerId);
  return fake;
}

/** Books the purchase, for which the provider charges `cost`. */
export function acceptAt(exchange: Exchange, cost: number): void {
  Object.assign(exchange.accept(), { cost });
  acceptHonestly(exchange);
}

/** Writes the first provider's offers as the provider's own, at its cost. */
async function copyOffers({ gateway }: TestGateway, providerId: "p2" | "p3"): Promise<void> {
  const { transactor } = gateway.context;
  await transactor.transact(OWNER.accountId, async (tx) => {
    const rows = await tx
      .selectFrom("offers")
      .selectAll()
      .where("environment", "=", "live")
      .where("provider_id", "is", null)
      .execute();
    for (const { checksum: _, ...row } of rows) {
      const offer = JSON.parse(row.offer_json) as Offer;
      const product_id = row.offer_id;
      const offer_id = `${product_id}:${providerId}`;
      const fixed = product_id === SHARED_OFFER ? COSTS[providerId] : offer.cost.fixed;
      const cost = { ...offer.cost, ...(fixed !== undefined && { fixed }) };
      const offer_json = JSON.stringify({ ...offer, offerId: offer_id, cost });
      const copy = { ...row, offer_id, product_id, provider_id: providerId, offer_json };
      await tx.insertInto("offers").values(copy).execute();
    }
    await tx
      .updateTable("catalogs")
      .set((eb) => ({ version: eb("version", "+", 1) }))
      .where("environment", "=", "live")
      .execute();
  });
}
