import type { App } from "../../../http/app-types.ts";
import type { Simulator } from "../../../providers/simulator/simulator.ts";
import type { WebhookService } from "../../messages/webhooks/index.ts";
import type { Base, Module } from "../../module.ts";
import type { KeyService } from "../../shop/keys/index.ts";
import { ClockService } from "./clock-service.ts";
import type { Sandbox } from "./sandbox.ts";
import { registerSandboxRoutes } from "./sandbox-routes.ts";
import { SandboxWebhooks } from "./sandbox-webhooks.ts";
import { stageRequests } from "./staged-requests.ts";

type SandboxModuleDeps = Base & {
  keys: KeyService;
  webhooks: WebhookService;
  sender: { readonly underWay: number };
  engine: { readonly waiting: number };
  simulator: Simulator;
};

export function createSandboxModule(deps: SandboxModuleDeps, sandbox: Sandbox) {
  const clockService = new ClockService({ ...deps, clock: sandbox.clock, faults: sandbox.faults });
  const sandboxWebhooks = new SandboxWebhooks({ ...deps, sandbox });
  return {
    services: {},
    async root(app) {
      // A running advance would delay the stop of the gateway.
      app.addHook("preClose", async () => clockService.close());
      const routes = { keys: deps.keys, sandbox, clockService, sandboxWebhooks };
      await app.register(async (scope) => registerSandboxRoutes(scope as App, routes), {
        prefix: "/sandbox/v1",
      });
    },
    v1: (app) => stageRequests(app, sandbox),
  } satisfies Module;
}
