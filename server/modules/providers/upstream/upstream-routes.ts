import type { ScopedAuthor } from "../../../contract/pos/actor.ts";
import { providerOperations } from "../../../contract/pos/providers.ts";
import { upstreamOperations } from "../../../contract/pos/upstream.ts";
import type { App, SignedInActor } from "../../../http/app-types.ts";
import { handle } from "../../../http/pos-operations.ts";
import type { ProviderDesk } from "./provider-desk.ts";
import type { ProviderOrders } from "./provider-orders.ts";
import type { UpstreamHooks } from "./upstream-hooks.ts";
import type { UpstreamService } from "./upstream-service.ts";
import { toComparison, toUpstreamState } from "./upstream-status.ts";
import type { UpstreamSync } from "./upstream-sync.ts";

/** The provider belongs to the live environment, regardless of the till's environment. */
function toLiveAuthor({ accountId, staffId }: SignedInActor): ScopedAuthor {
  return { accountId, staffId, environment: "live" };
}

interface UpstreamRoutesDeps {
  upstream: UpstreamService;
  upstreamSync: UpstreamSync;
  upstreamHooks: UpstreamHooks;
  providerOrders: ProviderOrders;
  providerDesk: ProviderDesk;
}

export function registerUpstreamRoutes(app: App, deps: UpstreamRoutesDeps): void {
  registerProviderRoutes(app, deps);
  const { upstream, upstreamSync, upstreamHooks } = deps;
  handle(app, upstreamOperations.get, async ({ actor, query }) =>
    toUpstreamState(await upstream.getStatus({ ...toLiveAuthor(actor), ...query })),
  );

  handle(app, upstreamOperations.connect, async ({ actor, body }) => {
    const { allowPrivate = false, ...input } = body;
    return toComparison(await upstream.connect(toLiveAuthor(actor), { ...input, allowPrivate }));
  });

  handle(app, upstreamOperations.disconnect, async ({ actor, query }) => {
    const author = toLiveAuthor(actor);
    await upstream.disconnect({ ...author, ...query });
    return toUpstreamState(await upstream.getStatus(author));
  });

  handle(app, upstreamOperations.change, async ({ actor, body }) => {
    const author = toLiveAuthor(actor);
    const { approvesCatalog, ...asked } = body;
    await upstream.change({ ...author, ...asked }, approvesCatalog);
    return toUpstreamState(await upstream.getStatus({ ...author, ...asked }));
  });

  handle(app, upstreamOperations.judge, ({ actor, body }) => {
    const { gateway, ...asked } = body;
    const typed = gateway && { allowPrivate: false, ...gateway };
    return upstream.judge({ ...toLiveAuthor(actor), ...asked }, typed);
  });

  handle(app, upstreamOperations.fetchCatalog, ({ actor, query }) =>
    upstreamSync.fetch({ ...toLiveAuthor(actor), ...query }),
  );

  handle(app, upstreamOperations.getWaitingCatalog, ({ actor, query }) =>
    upstreamSync.findWaiting({ ...toLiveAuthor(actor), ...query }),
  );

  handle(app, upstreamOperations.acceptCatalog, ({ actor, body }) => {
    const { fetchedAt, ...asked } = body;
    return upstreamSync.accept({ ...toLiveAuthor(actor), ...asked }, Date.parse(fetchedAt));
  });

  handle(app, upstreamOperations.test, async ({ actor, query }) =>
    toComparison(await upstream.test({ ...toLiveAuthor(actor), ...query })),
  );

  handle(app, upstreamOperations.sync, ({ actor, query }) =>
    upstreamSync.sync({ ...toLiveAuthor(actor), ...query }),
  );

  handle(app, upstreamOperations.openHook, ({ actor, body }) =>
    upstreamHooks.open(toLiveAuthor(actor), body.baseUrl, body.providerId),
  );

  handle(app, upstreamOperations.setHookSecret, async ({ actor, body }) => {
    await upstreamHooks.setSecret(toLiveAuthor(actor), body.secret, body.providerId);
    return {};
  });
}

function registerProviderRoutes(
  app: App,
  { upstream, providerOrders, providerDesk }: UpstreamRoutesDeps,
): void {
  handle(app, providerOperations.list, ({ actor }) => providerDesk.list(toLiveAuthor(actor)));

  handle(app, providerOperations.getCosts, ({ actor, query }) =>
    providerDesk.compareCosts(toLiveAuthor(actor), query),
  );

  handle(app, providerOperations.setOrder, async ({ actor, body }) => {
    const author = toLiveAuthor(actor);
    const { providers, ...target } = body;
    await providerOrders.setOrder(author, target, providers);
    return providerDesk.list(author);
  });

  handle(app, providerOperations.change, async ({ actor, params, body }) => {
    const author = toLiveAuthor(actor);
    const asked = { ...author, providerId: params.providerId };
    if (body.name !== undefined) await upstream.rename(asked, body.name);
    if (body.paused !== undefined) await upstream.pause(asked, body.paused);
    return providerDesk.list(author);
  });
}
