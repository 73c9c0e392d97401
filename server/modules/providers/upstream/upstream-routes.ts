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
  registerCatalogRoutes(app, deps);
  const { upstream, upstreamHooks } = deps;
  handle(app, upstreamOperations.get, async ({ actor, query }) =>
    toUpstreamState(await upstream.getStatus({ ...toLiveAuthor(actor), ...query })),
  );

  handle(app, upstreamOperations.connect, async ({ actor, body }) => {
    const { allowPrivate = false, ...input } = body;
    if (input.newName === undefined) await requireNamed(deps, actor, input);
    return toComparison(await upstream.connect(toLiveAuthor(actor), { ...input, allowPrivate }));
  });

  handle(app, upstreamOperations.disconnect, async ({ actor, query }) => {
    await upstream.disconnect(await requireNamed(deps, actor, query));
    return toUpstreamState(await upstream.getStatus(toLiveAuthor(actor)));
  });

  handle(app, upstreamOperations.change, async ({ actor, body }) => {
    const { approvesCatalog, ...asked } = body;
    const author = await requireNamed(deps, actor, asked);
    await upstream.change(author, approvesCatalog);
    return toUpstreamState(await upstream.getStatus(author));
  });

  handle(app, upstreamOperations.judge, async ({ actor, body }) => {
    const { gateway, ...asked } = body;
    if (!gateway) return upstream.judge(await requireNamed(deps, actor, asked), undefined);
    return upstream.judge(toLiveAuthor(actor), { allowPrivate: false, ...gateway });
  });

  handle(app, upstreamOperations.test, async ({ actor, query }) =>
    toComparison(await upstream.test(await requireNamed(deps, actor, query))),
  );

  handle(app, upstreamOperations.openHook, async ({ actor, body }) => {
    const { providerId } = await requireNamed(deps, actor, body);
    return upstreamHooks.open(toLiveAuthor(actor), body.baseUrl, providerId);
  });

  handle(app, upstreamOperations.setHookSecret, async ({ actor, body }) => {
    const { providerId } = await requireNamed(deps, actor, body);
    await upstreamHooks.setSecret(toLiveAuthor(actor), body.secret, providerId);
    return {};
  });
}

/**
 * Returns the author of a request to the named provider, or to the only one.
 * @throws Problem INVALID_REQUEST naming `providerId`
 */
async function requireNamed(
  { upstream }: Pick<UpstreamRoutesDeps, "upstream">,
  actor: SignedInActor,
  { providerId }: { providerId?: string | undefined },
): Promise<ScopedAuthor & { providerId?: string }> {
  const author = {
    ...toLiveAuthor(actor),
    ...(providerId !== undefined && { providerId }),
  };
  await upstream.requireNamed(author);
  return author;
}

function registerCatalogRoutes(app: App, deps: UpstreamRoutesDeps): void {
  const { upstreamSync } = deps;
  handle(app, upstreamOperations.fetchCatalog, async ({ actor, query }) =>
    upstreamSync.fetch(await requireNamed(deps, actor, query)),
  );

  handle(app, upstreamOperations.getWaitingCatalog, async ({ actor, query }) =>
    upstreamSync.findWaiting(await requireNamed(deps, actor, query)),
  );

  handle(app, upstreamOperations.acceptCatalog, async ({ actor, body }) => {
    const author = await requireNamed(deps, actor, body);
    return upstreamSync.accept(author, Date.parse(body.fetchedAt));
  });

  handle(app, upstreamOperations.sync, async ({ actor, query }) =>
    upstreamSync.sync(await requireNamed(deps, actor, query)),
  );
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

  handle(app, providerOperations.joinBrands, async ({ actor, body }) => {
    const author = toLiveAuthor(actor);
    await providerOrders.join(author, body.brand, body.as);
    return providerDesk.list(author);
  });

  handle(app, providerOperations.listUnclear, ({ actor }) =>
    providerDesk.listUnclear(toLiveAuthor(actor)),
  );

  handle(app, providerOperations.joinProducts, async ({ actor, body }) => {
    const author = toLiveAuthor(actor);
    await providerOrders.joinProducts(author, body.offerId, body.as);
    return providerDesk.listUnclear(author);
  });

  handle(app, providerOperations.change, async ({ actor, params, body }) => {
    const author = toLiveAuthor(actor);
    const asked = { ...author, providerId: params.providerId };
    if (body.name !== undefined) await upstream.rename(asked, body.name);
    if (body.paused !== undefined) await upstream.pause(asked, body.paused);
    return providerDesk.list(author);
  });
}
