import { tillEnvironmentOperations } from "../../contract/pos/till-environment-operations.ts";
import type { App } from "../../http/app-types.ts";
import { placeOf, setDeviceCookie } from "../../http/device-cookie.ts";
import { handle } from "../../http/pos-operations.ts";
import type { ShopService } from "../shop/index.ts";
import type { SessionService } from "../staff/index.ts";
import type { TillEnvironmentService } from "./till-environment-service.ts";

interface Deps {
  tillEnvironment: TillEnvironmentService;
  sessions: SessionService;
  shop: ShopService;
}

/** An owner takes the shop live and back. */
export function registerTillEnvironmentRoutes(
  app: App,
  { tillEnvironment, sessions, shop }: Deps,
): void {
  handle(app, tillEnvironmentOperations.get, ({ actor }) =>
    tillEnvironment.getState(actor.accountId),
  );

  handle(app, tillEnvironmentOperations.check, ({ actor, body }) =>
    tillEnvironment.check(actor.accountId, body.to),
  );

  handle(app, tillEnvironmentOperations.change, async ({ actor, body, request, reply }) => {
    const { to, pin, shopName } = body;
    if (to === "live") await tillEnvironment.requireName(actor.accountId, shopName);
    setDeviceCookie(reply, await sessions.confirm(actor, pin, placeOf(request)));
    const { environment } = await tillEnvironment.switch(actor, to);
    return { environment };
  });

  handle(app, tillEnvironmentOperations.setRate, ({ actor, body }) =>
    shop.setRate(actor, body.rate),
  );
}
