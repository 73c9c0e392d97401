import { type PosStatus, setupOperations } from "../../../contract/pos/setup.ts";
import { shopOperations } from "../../../contract/pos/shop.ts";
import type { DayClock } from "../../../contract/pos/shop-day.ts";
import { Problem } from "../../../contract/problem.ts";
import { isLoopback } from "../../../http/addresses.ts";
import type { App } from "../../../http/app-types.ts";
import { placeOf, setDeviceCookie } from "../../../http/device-cookie.ts";
import { handle } from "../../../http/pos-operations.ts";
import { setSessionCookie } from "../../../http/staff-guard.ts";
import { type SessionService, toPosSession } from "../staff/index.ts";
import type { LogoService } from "./logo-service.ts";
import { type ShopService, toShopFacts } from "./shop-service.ts";

interface ShopRoutesDeps {
  accountId: string;
  shop: ShopService;
  logos: LogoService;
}

export function registerShopRoutes(app: App, deps: ShopRoutesDeps): void {
  handle(app, shopOperations.get, async ({ actor }) =>
    toShopFacts(await deps.shop.get(actor.accountId)),
  );

  handle(app, shopOperations.change, ({ actor, body }) => {
    const { accountId, staffId } = actor;
    return deps.shop.change({ accountId, staffId }, body);
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

interface SetupRoutesDeps {
  readPilot(accountId: string, device: string | undefined): Promise<PosStatus["pilot"]>;
  accountId: string;
  version: string;
  shop: ShopService;
  settings: {
    getOfAccount(accountId: string): Promise<DayClock & { idleLockMinutes: number }>;
  };
  sessions: SessionService;
}

export function registerSetupRoutes(app: App, deps: SetupRoutesDeps): void {
  const { accountId, readPilot, version, shop, settings, sessions } = deps;

  // A person in training sells in a different environment than the shop.
  handle(app, setupOperations.getStatus, async ({ actor, request }) => {
    const found = await shop.find(accountId);
    const environment = actor?.environment ?? found?.tillEnvironment ?? "test";
    const pilot =
      environment === "live" && actor
        ? await readPilot(accountId, placeOf(request).device)
        : undefined;
    const { idleLockMinutes, timeZone, dayStartsAt } = await settings.getOfAccount(accountId);
    return {
      version,
      setUp: found !== undefined,
      shopName: found?.name ?? "",
      currency: found?.currency ?? "",
      currencyDivisor: found?.currencyDivisor ?? 100,
      language: found?.language ?? "en",
      environment,
      idleLockMinutes,
      timeZone,
      dayStartsAt,
      cashStep: found?.cashStep ?? 0,
      ...(found && actor && { tenders: [...found.tenders] }),
      ...(found?.logo && { logo: found.logo }),
      country: found?.country ?? "",
      ...(pilot && { pilot }),
    };
  });

  handle(app, setupOperations.listCurrencies, () => shop.listCurrencies(accountId));

  handle(app, setupOperations.setUp, async ({ body, request, reply }) => {
    const { remoteAddress = "" } = request.socket;
    if (!isLoopback(request.ip) || !isLoopback(remoteAddress)) {
      throw new Problem(
        "FORBIDDEN",
        "Set the shop up on the machine that Tillgate runs on, or with `tillgate setup`.",
      );
    }
    const owner = await shop.setUp(accountId, body);
    const place = placeOf(request);
    const { session, ...tokens } = await sessions.openFor(accountId, owner.staffId, place);
    setSessionCookie(reply, tokens.token);
    setDeviceCookie(reply, tokens.deviceToken);
    return toPosSession(session, (await shop.get(accountId)).tillEnvironment);
  });
}
