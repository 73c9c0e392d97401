import { tillEnvironmentOperations } from "../../../contract/pos/till-environment.ts";
import type { App } from "../../../http/app-types.ts";
import { placeOf, setDeviceCookie } from "../../../http/device-cookie.ts";
import { handle } from "../../../http/pos-operations.ts";
import { deviceOf } from "../../../lib/place.ts";
import type { ShopService } from "../../shop/shop/index.ts";
import type { SessionService } from "../../shop/staff/index.ts";
import type { BackupTrialService } from "./backup-trial.ts";
import type { FirstSaleService } from "./first-sale-service.ts";
import type { TillEnvironmentService } from "./till-environment-service.ts";

interface TillEnvironmentRoutesDeps {
  tillEnvironment: TillEnvironmentService;
  backupTrial: BackupTrialService;
  firstSale: FirstSaleService;
  sessions: SessionService;
  shop: ShopService;
}

export function registerTillEnvironmentRoutes(app: App, deps: TillEnvironmentRoutesDeps): void {
  const { tillEnvironment, firstSale, sessions, shop } = deps;
  handle(app, tillEnvironmentOperations.get, ({ actor, request }) =>
    tillEnvironment.getState(actor.accountId, placeOf(request).device),
  );

  handle(app, tillEnvironmentOperations.check, async ({ actor, body }) => {
    if (body.to === "live") await firstSale.note(actor.accountId);
    return tillEnvironment.check(actor.accountId, body.to);
  });

  handle(app, tillEnvironmentOperations.change, async ({ actor, body, request, reply }) => {
    const { to, pin, shopName, pilot: caps } = body;
    if (to === "live") await tillEnvironment.requireName(actor.accountId, shopName);
    const token = await sessions.confirm(actor, pin, placeOf(request));
    setDeviceCookie(reply, token);
    const device = token === undefined ? placeOf(request).device : deviceOf(token);
    const { environment } = await tillEnvironment.switch(actor, to, { caps, device });
    return { environment };
  });

  handle(app, tillEnvironmentOperations.endPilot, async ({ actor, body, request, reply }) => {
    setDeviceCookie(reply, await sessions.confirm(actor, body.pin, placeOf(request)));
    await tillEnvironment.endPilot(actor);
    return {};
  });

  handle(app, tillEnvironmentOperations.movePilot, async ({ actor, request }) => {
    await tillEnvironment.movePilot(actor, placeOf(request).device);
    return {};
  });

  registerWayRoutes(app, deps);

  handle(app, tillEnvironmentOperations.setRate, ({ actor, body }) =>
    shop.setRate(actor, body.rate),
  );
}

function registerWayRoutes(
  app: App,
  { tillEnvironment, backupTrial, firstSale, sessions }: TillEnvironmentRoutesDeps,
): void {
  handle(app, tillEnvironmentOperations.confirm, async ({ actor, params }) => {
    await tillEnvironment.confirm(actor, params.what);
    return {};
  });

  handle(app, tillEnvironmentOperations.tryBackup, ({ actor }) => {
    backupTrial.start(actor);
    return {};
  });

  handle(app, tillEnvironmentOperations.listPriceChanges, ({ actor }) =>
    tillEnvironment.listPriceChanges(actor.accountId),
  );

  handle(app, tillEnvironmentOperations.listFirstSaleOffers, async ({ actor, body }) => ({
    list: await firstSale.listOffers(actor.accountId, body.recipientPhoneNumber),
  }));

  handle(app, tillEnvironmentOperations.makeFirstSale, async ({ actor, body, request, reply }) => {
    setDeviceCookie(reply, await sessions.confirm(actor, body.pin, placeOf(request)));
    await firstSale.make(actor, body);
    return {};
  });
}
