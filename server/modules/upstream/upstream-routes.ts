import { Type } from "typebox";
import {
  UpstreamComparison,
  UpstreamHook,
  UpstreamHookSecret,
  UpstreamInput,
  UpstreamState,
  UpstreamSyncReport,
} from "../../contract/pos/upstream.ts";
import { type App, answers, type Cashier, cashierOf } from "../../http/app-types.ts";
import { requireOwner } from "../../http/staff-guard.ts";
import type { UpstreamHooks } from "./upstream-hooks.ts";
import type { Actor, UpstreamService } from "./upstream-service.ts";
import type { UpstreamSync } from "./upstream-sync.ts";
import { toComparison, toUpstreamState } from "./upstream-view.ts";

/** An upstream is the live environment's, whatever the till sells in. */
function actorOf({ accountId, staffId }: Cashier): Actor {
  return { accountId, staffId, environment: "live" };
}

interface Parts {
  upstream: UpstreamService;
  upstreamSync: UpstreamSync;
  upstreamHooks: UpstreamHooks;
}

/** `/pos/upstream`: the gateway that the live environment sells through. */
export function registerUpstreamRoutes(
  app: App,
  { upstream, upstreamSync, upstreamHooks }: Parts,
): void {
  const onRequest = requireOwner;

  app.get(
    "/upstream",
    { onRequest, schema: { response: answers(UpstreamState) } },
    async (request) => toUpstreamState(await upstream.getStatus(actorOf(cashierOf(request)))),
  );

  app.put(
    "/upstream",
    { onRequest, schema: { body: UpstreamInput, response: answers(UpstreamComparison) } },
    async (request) => {
      const { allowPrivate = false, ...input } = request.body;
      const actor = actorOf(cashierOf(request));
      return toComparison(await upstream.connect(actor, { ...input, allowPrivate }));
    },
  );

  app.delete(
    "/upstream",
    { onRequest, schema: { response: answers(UpstreamState) } },
    async (request) => {
      const actor = actorOf(cashierOf(request));
      await upstream.disconnect(actor);
      return toUpstreamState(await upstream.getStatus(actor));
    },
  );

  app.post(
    "/upstream/test",
    { onRequest, schema: { response: answers(UpstreamComparison) } },
    async (request) => toComparison(await upstream.test(actorOf(cashierOf(request)))),
  );

  app.post(
    "/upstream/sync",
    { onRequest, schema: { response: answers(UpstreamSyncReport) } },
    (request) => upstreamSync.sync(actorOf(cashierOf(request))),
  );

  app.post(
    "/upstream/hook",
    { onRequest, schema: { response: answers(UpstreamHook) } },
    async (request) => ({ path: await upstreamHooks.open(actorOf(cashierOf(request))) }),
  );

  app.put(
    "/upstream/hook/secret",
    { onRequest, schema: { body: UpstreamHookSecret, response: answers(Type.Object({})) } },
    async (request) => {
      await upstreamHooks.setSecret(actorOf(cashierOf(request)), request.body.secret);
      return {};
    },
  );
}
