import { requestLogOperations } from "../../../contract/pos/request-log.ts";
import type { App } from "../../../http/app-types.ts";
import { handle } from "../../../http/pos-operations.ts";
import type { RequestLog } from "./request-log.ts";

/**
 * Registers the request log. Reading it leaves no audit entry, because secrets and personal data
 * are masked, and only owners read it.
 */
export function registerRequestLogRoutes(app: App, requestLog: RequestLog): void {
  handle(app, requestLogOperations.list, ({ actor, query }) =>
    requestLog.list(actor.accountId, query),
  );
  handle(app, requestLogOperations.get, ({ actor, params }) =>
    requestLog.get(actor.accountId, Number(params.requestNo)),
  );
}
