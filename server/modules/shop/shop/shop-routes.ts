import { shopOperations } from "../../../contract/pos/shop.ts";
import type { App } from "../../../http/app-types.ts";
import { handle } from "../../../http/pos-operations.ts";
import type { LogoService } from "./logo-service.ts";
import { changeShop, toShopFacts } from "./shop-change.ts";
import type { ShopService } from "./shop-service.ts";

type ShopRoutesDeps = { accountId: string; shop: ShopService; logos: LogoService } & Parameters<
  typeof changeShop
>[0];

export function registerShopRoutes(app: App, deps: ShopRoutesDeps): void {
  handle(app, shopOperations.get, async ({ actor }) =>
    toShopFacts(await deps.shop.get(actor.accountId)),
  );

  handle(app, shopOperations.change, ({ actor, body }) => {
    const { accountId, staffId } = actor;
    return changeShop(deps, { accountId, staffId }, body);
  });

  // Cached for a year, because the address contains the image's digest.
  handle(app, shopOperations.readLogo, async ({ params, reply }) => {
    const { type, content } = await deps.logos.read(deps.accountId, params.digest);
    reply.type(type).header("cache-control", "private, max-age=31536000, immutable");
    return reply.send(Buffer.from(content));
  });

  handle(app, shopOperations.setLogo, ({ actor: { accountId, staffId }, body }) =>
    deps.logos.set({ accountId, staffId }, body.content),
  );

  handle(app, shopOperations.removeLogo, ({ actor: { accountId, staffId } }) =>
    deps.logos.remove({ accountId, staffId }),
  );
}
