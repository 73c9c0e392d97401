import type { App } from "../../../http/app-types.ts";
import { handle } from "../../../http/pos-operations.ts";
import type { Base, Module } from "../../module.ts";
import { RequestLog } from "./request-log.ts";

export { recordRequests } from "./recorded-requests.ts";
export { purgeRequestFile } from "./request-purge.ts";

export function createRequestLogModule(deps: Base) {
  const requestLog = new RequestLog(deps);
  return {
    services: { requestLog },
    pos: (app) => registerRequestLogRoutes(app, requestLog),
    start: () => requestLog.start(),
    release: () => requestLog.close(),
  } satisfies Module;
}

/**
 * Registers the request log. Reading it leaves no audit entry, because secrets and personal data
 * are masked, and only owners read it.
 */
async function registerRequestLogRoutes(app: App, requestLog: RequestLog): Promise<void> {
  const { requestLogOperations } = await import("../../../contract/pos/request-log.ts");
  handle(app, requestLogOperations.list, ({ actor, query }) =>
    requestLog.list(actor.accountId, query),
  );
  handle(app, requestLogOperations.get, ({ actor, params }) =>
    requestLog.get(actor.accountId, Number(params.requestNo)),
  );
}
