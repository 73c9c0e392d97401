import { environmentCopyOperations } from "../../../contract/pos/environment-copy.ts";
import type { App } from "../../../http/app-types.ts";
import { handle, requireOwnPin } from "../../../http/pos-operations.ts";
import { type EnvironmentCopyService, isWebhook } from "./environment-copy-service.ts";

export function registerEnvironmentCopyRoutes(app: App, copies: EnvironmentCopyService): void {
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
