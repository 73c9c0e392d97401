import { sandboxOperations } from "../../../contract/pos/sandboxes.ts";
import type { Db } from "../../../db/database.ts";
import type { App } from "../../../http/app-types.ts";
import { handle } from "../../../http/pos-operations.ts";
import { SCENARIOS } from "../../../providers/simulator/scenario.ts";
import type { Simulator } from "../../../providers/simulator/simulator.ts";
import type { WebhookService } from "../../messages/webhooks/index.ts";
import type { Base, Module } from "../../module.ts";
import type { KeyService } from "../../shop/keys/index.ts";
import { ClockService } from "./clock-service.ts";
import { NamedSandboxes } from "./named-sandboxes.ts";
import type { Sandbox } from "./sandbox.ts";
import { registerSandboxControl, type SandboxControlDeps } from "./sandbox-control.ts";
import { registerSandboxRoutes } from "./sandbox-routes.ts";
import { SandboxWallet, type SandboxWalletDeps } from "./sandbox-wallet.ts";
import { SandboxWebhooks } from "./sandbox-webhooks.ts";
import { refuseScenarios, stageRequests } from "./staged-requests.ts";

type SandboxModuleDeps = Base &
  SandboxWalletDeps & {
    keys: KeyService;
    webhooks: WebhookService;
    sender: { readonly underWay: number };
    engine: { readonly waiting: number };
    simulator: Simulator;
  };

async function listOpenPurchases(db: Db, accountId: string): Promise<string[]> {
  const rows = await db
    .selectFrom("transactions")
    .select("transaction_id")
    .where("account_id", "=", accountId)
    .where("environment", "=", "test")
    .where("finished_at", "is", null)
    .execute();
  return rows.map(({ transaction_id }) => transaction_id);
}

export function createSandboxModule(deps: SandboxModuleDeps, sandbox: Sandbox) {
  const { accountId, db } = deps;
  const { clock, faults, scenarios } = sandbox;
  const clockService = new ClockService({ ...deps, clock, faults, save: () => sandbox.save() });
  const sandboxWebhooks = new SandboxWebhooks({ ...deps, sandbox });
  const sandboxWallet = new SandboxWallet(deps);
  return {
    services: { clockService, sandboxWallet },
    async recover() {
      await clockService.recover();
      const open = await listOpenPurchases(db, accountId);
      await scenarios.keepOnly(
        open.map((transactionId) => ({ accountId, environment: "test", transactionId })),
      );
    },
    async root(app) {
      // A running advance would delay the stop of the gateway.
      app.addHook("preClose", async () => clockService.close());
      const { keys } = deps;
      const routes = { keys, sandbox, clockService, sandboxWallet, sandboxWebhooks };
      await registerSandboxRoutes(app, routes);
    },
    v1: (app) => stageRequests(app, sandbox),
  } satisfies Module;
}

/** Manages named sandboxes. A sandbox itself has none. */
export function createNamedSandboxesModule(deps: Base & SandboxControlDeps) {
  const namedSandboxes = new NamedSandboxes(deps);
  return {
    services: { namedSandboxes },
    async root(app) {
      app.addHook("preClose", async () => namedSandboxes.beginStop());
      await registerSandboxControl(app, namedSandboxes, deps);
    },
    v1: (app) => refuseScenarios(app),
    pos: (app) => registerSandboxDesk(app, namedSandboxes),
    start: () => namedSandboxes.start(),
    stop: () => namedSandboxes.stop(),
  } satisfies Module;
}

/** Registers the owner's operations on named sandboxes. */
function registerSandboxDesk(app: App, sandboxes: NamedSandboxes): void {
  handle(app, sandboxOperations.list, async () => ({
    list: sandboxes.list(),
    scenarios: SCENARIOS.map(({ name, description }) => ({ name, description })),
  }));
  handle(app, sandboxOperations.create, ({ actor, body }) => sandboxes.create(actor, body.name));
  handle(app, sandboxOperations.remove, async ({ actor, params }) => {
    await sandboxes.delete(actor, params.name);
    return {};
  });
  handle(app, sandboxOperations.reset, async ({ actor, params }) => {
    await sandboxes.reset(actor, params.name);
    return {};
  });
  handle(app, sandboxOperations.setSpeed, ({ actor, params, body }) =>
    sandboxes.setSpeed(actor, params.name, body.speed),
  );
  handle(app, sandboxOperations.advance, ({ actor, params, body }) =>
    sandboxes.advance(actor, params.name, body),
  );
  handle(app, sandboxOperations.setScenario, async ({ actor, params, body }) => {
    await sandboxes.setScenario(actor, params.name, body.scenario);
    return {};
  });
  handle(app, sandboxOperations.getWallet, ({ params }) => sandboxes.getWallet(params.name));
  handle(app, sandboxOperations.setWallet, ({ actor, params, body }) =>
    sandboxes.setWallet(actor, params.name, body.availableBalance),
  );
  handle(app, sandboxOperations.listDeliveries, ({ params, query }) =>
    sandboxes.listDeliveries(params.name, query),
  );
  handle(app, sandboxOperations.listRequests, ({ params, query }) =>
    sandboxes.listRequests(params.name, query),
  );
  handle(app, sandboxOperations.getRequest, ({ params }) =>
    sandboxes.getRequest(params.name, Number(params.requestNo)),
  );
}
