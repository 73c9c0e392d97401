import { type Static, Type } from "typebox";
import { FAMILIES } from "../../../contract/pos/families.ts";
import type { Offer } from "../../../contract/v1/offers.ts";
import type { Scope } from "../../../db/changes.ts";
import type { Db, Tx } from "../../../db/database.ts";
import { environmentSetting, readSetting, writeSetting } from "../../../db/settings.ts";

/** Which providers sell the products of a brand, country or family, in their order. */
const ProviderOrder = Type.Object({
  brand: Type.Optional(Type.String()),
  country: Type.Optional(Type.String()),
  family: Type.Optional(Type.Enum([...FAMILIES])),
  providers: Type.Array(Type.String(), { description: "Ids; empty for the cheapest that works" }),
});
export type ProviderOrder = Static<typeof ProviderOrder>;

const Routing = Type.Object({
  orders: Type.Array(ProviderOrder),
  joined: Type.Record(Type.String(), Type.String(), {
    description: "Brands that are sold as another brand, by code",
  }),
  products: Type.Optional(
    Type.Record(Type.String(), Type.String(), {
      description: "Offers that are sold as another offer, by id, if they match several",
    }),
  ),
});
export type ProviderRouting = Static<typeof Routing>;

const PROVIDER_ROUTING = environmentSetting("provider_routing", Routing);

export async function readRouting(
  db: Db | Tx,
  { accountId, environment }: Scope,
): Promise<ProviderRouting> {
  const stored = await readSetting(db, { accountId, environment }, PROVIDER_ROUTING);
  return stored ?? { orders: [], joined: {} };
}

export async function writeRouting(
  tx: Tx,
  { accountId, environment }: Scope,
  routing: ProviderRouting,
): Promise<void> {
  await writeSetting(tx, { accountId, environment }, PROVIDER_ROUTING, routing);
}

/** Returns the brand under which an offer is sold: the owner may have joined its own to another. */
export function toSoldBrand(brand: string, { joined }: ProviderRouting): string {
  return joined[brand] ?? brand;
}

/** Returns the providers of the most specific order. A brand counts more than a country or family. */
export function findOrder(routing: ProviderRouting, offer: Offer): readonly string[] {
  const { orders } = routing;
  const soldBrand = toSoldBrand(offer.brand, routing);
  const fitting = orders.filter(
    ({ brand, country, family }) =>
      (brand === undefined || brand === soldBrand) &&
      (country === undefined || country === offer.country) &&
      (family === undefined || family === offer.productType),
  );
  return fitting.toSorted((one, other) => weigh(other) - weigh(one))[0]?.providers ?? [];
}

function weigh({ brand, country, family }: ProviderOrder): number {
  return (brand ? 4 : 0) + (country ? 2 : 0) + (family ? 1 : 0);
}
