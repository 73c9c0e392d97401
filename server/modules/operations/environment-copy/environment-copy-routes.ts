import { environmentCopyOperations } from "../../../contract/pos/environment-copy.ts";
import type { App } from "../../../http/app-types.ts";
import { handle } from "../../../http/pos-operations.ts";
import type { EnvironmentCopyService } from "./environment-copy-service.ts";

export function registerEnvironmentCopyRoutes(app: App, copies: EnvironmentCopyService): void {
  handle(app, environmentCopyOperations.list, ({ actor, query }) =>
    copies.list(actor.accountId, query.from),
  );

  handle(app, environmentCopyOperations.copy, ({ actor, body }) => {
    const { accountId, staffId, rights } = actor;
    return copies.copy({ accountId, staffId, mayLose: rights.belowCost }, body);
  });
}
