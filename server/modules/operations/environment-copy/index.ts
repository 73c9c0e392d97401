import type { App } from "../../../http/app-types.ts";
import { handle, requireOwnPin } from "../../../http/pos-operations.ts";
import type { Base, Module } from "../../module.ts";
import { EnvironmentCopyService, isWebhook } from "./environment-copy-service.ts";

type EnvironmentCopyModuleDeps = Base & ConstructorParameters<typeof EnvironmentCopyService>[0];

export function createEnvironmentCopyModule(deps: EnvironmentCopyModuleDeps) {
  const copies = new EnvironmentCopyService(deps);
  return {
    services: {},
    pos: (app) => registerEnvironmentCopyRoutes(app, copies),
  } satisfies Module;
}

async function registerEnvironmentCopyRoutes(
  app: App,
  copies: EnvironmentCopyService,
): Promise<void> {
  const { environmentCopyOperations } = await import("../../../contract/pos/environment-copy.ts");
  handle(app, environmentCopyOperations.list, ({ actor, query }) =>
    copies.list(actor.accountId, query.from),
  );

  handle(app, environmentCopyOperations.copy, async (call) => {
    const { actor, body } = call;
    const { accountId, staffId, rights } = actor;
    // A live webhook gets the codes of every sale.
    const addsLiveWebhook = body.from === "test" && body.items.some(({ id }) => isWebhook(id));
    if (addsLiveWebhook) await requireOwnPin(call);
    return copies.copy({ accountId, staffId, mayLose: rights.belowCost }, body);
  });
}
