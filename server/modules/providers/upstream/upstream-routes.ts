import type { ScopedAuthor } from "../../../contract/pos/actor.ts";
import { upstreamOperations } from "../../../contract/pos/upstream.ts";
import type { App, SignedInActor } from "../../../http/app-types.ts";
import { handle } from "../../../http/pos-operations.ts";
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
}

export function registerUpstreamRoutes(
  app: App,
  { upstream, upstreamSync, upstreamHooks }: UpstreamRoutesDeps,
): void {
  handle(app, upstreamOperations.get, async ({ actor }) =>
    toUpstreamState(await upstream.getStatus(toLiveAuthor(actor))),
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
    return toUpstreamState(await upstream.getStatus(author));
  });

  handle(app, upstreamOperations.judge, ({ actor, body }) => {
    const { gateway } = body;
    const typed = gateway && { allowPrivate: false, ...gateway };
    return upstream.judge(toLiveAuthor(actor), typed);
  });

  handle(app, upstreamOperations.fetchCatalog, ({ actor }) =>
    upstreamSync.fetch(toLiveAuthor(actor)),
  );

  handle(app, upstreamOperations.getWaitingCatalog, ({ actor }) =>
    upstreamSync.findWaiting(toLiveAuthor(actor)),
  );

  handle(app, upstreamOperations.acceptCatalog, ({ actor, body }) =>
    upstreamSync.accept(toLiveAuthor(actor), Date.parse(body.fetchedAt)),
  );

  handle(app, upstreamOperations.test, async ({ actor }) =>
    toComparison(await upstream.test(toLiveAuthor(actor))),
  );

  handle(app, upstreamOperations.sync, ({ actor }) => upstreamSync.sync(toLiveAuthor(actor)));

  handle(app, upstreamOperations.openHook, ({ actor, body }) =>
    upstreamHooks.open(toLiveAuthor(actor), body.baseUrl),
  );

  handle(app, upstreamOperations.setHookSecret, async ({ actor, body }) => {
    await upstreamHooks.setSecret(toLiveAuthor(actor), body.secret);
    return {};
  });
}
