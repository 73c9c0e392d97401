import { upstreamOperations } from "../../contract/pos/upstream-operations.ts";
import type { App, Cashier } from "../../http/app-types.ts";
import { handle } from "../../http/pos-operations.ts";
import type { UpstreamHooks } from "./upstream-hooks.ts";
import type { Actor, UpstreamService } from "./upstream-service.ts";
import type { UpstreamSync } from "./upstream-sync.ts";
import { toComparison, toUpstreamState } from "./upstream-view.ts";

/** An upstream is the live environment's, whatever the till sells in. */
function actorOf({ accountId, staffId }: Cashier): Actor {
  return { accountId, staffId, environment: "live" };
}

interface Deps {
  upstream: UpstreamService;
  upstreamSync: UpstreamSync;
  upstreamHooks: UpstreamHooks;
}

/** The gateway that the live environment sells through. */
export function registerUpstreamRoutes(
  app: App,
  { upstream, upstreamSync, upstreamHooks }: Deps,
): void {
  handle(app, upstreamOperations.get, async ({ cashier }) =>
    toUpstreamState(await upstream.getStatus(actorOf(cashier))),
  );

  handle(app, upstreamOperations.connect, async ({ cashier, body }) => {
    const { allowPrivate = false, ...input } = body;
    return toComparison(await upstream.connect(actorOf(cashier), { ...input, allowPrivate }));
  });

  handle(app, upstreamOperations.disconnect, async ({ cashier }) => {
    const actor = actorOf(cashier);
    await upstream.disconnect(actor);
    return toUpstreamState(await upstream.getStatus(actor));
  });

  handle(app, upstreamOperations.test, async ({ cashier }) =>
    toComparison(await upstream.test(actorOf(cashier))),
  );

  handle(app, upstreamOperations.sync, ({ cashier }) => upstreamSync.sync(actorOf(cashier)));

  handle(app, upstreamOperations.openHook, async ({ cashier }) => ({
    path: await upstreamHooks.open(actorOf(cashier)),
  }));

  handle(app, upstreamOperations.setHookSecret, async ({ cashier, body }) => {
    await upstreamHooks.setSecret(actorOf(cashier), body.secret);
    return {};
  });
}
