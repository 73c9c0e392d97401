import type { Base, Module } from "../../module.ts";
import { RequestLog } from "./request-log.ts";

export function createRequestLogModule(deps: Base) {
  const requestLog = new RequestLog(deps);
  return {
    services: { requestLog },
    pos: async (app) =>
      (await import("./request-log-routes.ts")).registerRequestLogRoutes(app, requestLog),
    start: () => requestLog.start(),
    release: () => requestLog.close(),
  } satisfies Module;
}
