import { timingSafeEqual } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import { Type } from "typebox";
import { Input } from "../../../contract/common.ts";
import { FAMILIES, FAMILY_FACTS } from "../../../contract/pos/families.ts";
import { sandboxOperations } from "../../../contract/pos/sandboxes.ts";
import { Problem } from "../../../contract/problem.ts";
import {
  AdvanceInput,
  ScenarioInput,
  SpeedInput,
  WalletInput,
} from "../../../contract/v1/sandbox.ts";
import type { Db } from "../../../db/database.ts";
import { type App, clientOf } from "../../../http/app-types.ts";
import { doorOf, nothingThere } from "../../../http/doors.ts";
import { handle } from "../../../http/pos-operations.ts";
import type { FileSealer } from "../../../lib/sealer.ts";
import { SCENARIOS } from "../../../providers/simulator/scenario.ts";
import type { Simulator } from "../../../providers/simulator/simulator.ts";
import type { WebhookService } from "../../messages/webhooks/index.ts";
import type { Base, Module } from "../../module.ts";
import type { KeyService } from "../../shop/keys/index.ts";
import { ClockService } from "./clock-service.ts";
import { NamedSandboxes } from "./named-sandboxes.ts";
import type { Sandbox } from "./sandbox.ts";
import { createCloseSignal, registerSandboxRoutes } from "./sandbox-routes.ts";
import { SandboxWallet, type SandboxWalletDeps } from "./sandbox-wallet.ts";
import { SandboxWebhooks } from "./sandbox-webhooks.ts";

export { SCENARIOS } from "../../../providers/simulator/scenario.ts";
export type { ClockService } from "./clock-service.ts";
export type { NamedSandboxes } from "./named-sandboxes.ts";
export { Sandbox } from "./sandbox.ts";
export type { OpenBy } from "./sandbox-pool.ts";
export { describeSandboxRoutes } from "./sandbox-routes.ts";
export type { SandboxWallet } from "./sandbox-wallet.ts";

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

const SCENARIO_HEADER = "X-Sandbox-Scenario";

const PURCHASES: ReadonlySet<string> = new Set(
  FAMILIES.map((family) => `/v1/${FAMILY_FACTS[family].path}/purchases`),
);

interface PurchaseBody {
  transactionId: string;
  validateOnly?: boolean;
}

const FAULT_CODES = {
  429: "RATE_LIMITED",
  500: "INTERNAL_ERROR",
  503: "SYSTEM_UNAVAILABLE",
} as const;

function stageRequests(app: App, sandbox: Sandbox): void {
  const { scenarios, faults } = sandbox;
  const isOwn = ({ client }: FastifyRequest) => client?.keyId === sandbox.access?.keyId;
  const ends = new WeakMap<FastifyRequest, (isAccepted: boolean) => void>();

  app.addHook("preParsing", async (request, reply) => {
    if (!isOwn(request)) return;
    await faults.delay();
    const { status } = faults.settings;
    if (status !== undefined) throw toProblem(status, reply);
  });

  app.addHook("preHandler", async (request) => {
    if (!isOwn(request) || !isPurchase(request)) return;
    const { transactionId, validateOnly } = request.body as PurchaseBody;
    if (validateOnly === true) return;
    const purchase = { ...clientOf(request), transactionId };
    const name = request.headers[SCENARIO_HEADER.toLowerCase()]?.toString();
    ends.set(request, await scenarios.assign(purchase, name, SCENARIO_HEADER));
  });

  app.addHook("onSend", async (request, reply) => {
    const isAccepted = reply.statusCode === 200;
    const end = ends.get(request);
    ends.delete(request);
    end?.(isAccepted);
    if (isAccepted && end && faults.settings.resetAfterAccept) {
      request.raw.socket.resetAndDestroy();
    }
  });
}

/** Refuses the header of a scenario outside a sandbox, where it would be ignored silently. */
function refuseScenarios(app: App): void {
  app.addHook("preParsing", async ({ headers }) => {
    if (headers[SCENARIO_HEADER.toLowerCase()] === undefined) return;
    throw new Problem("INVALID_REQUEST", `${SCENARIO_HEADER} needs the key of a sandbox.`, {
      [SCENARIO_HEADER]: "is allowed only in a sandbox",
    });
  });
}

function isPurchase({ method, routeOptions }: FastifyRequest): boolean {
  return method === "POST" && PURCHASES.has(routeOptions.url ?? "");
}

function toProblem(status: keyof typeof FAULT_CODES, reply: FastifyReply): Problem {
  if (status !== 500) reply.header("retry-after", 1);
  return new Problem(FAULT_CODES[status], "The sandbox was told to answer so.");
}

const BEARER = /^Bearer +([0-9a-f]{64}) *$/i;
const TOKEN_PURPOSE = "control of sandboxes";

/** Maximum number of deliveries in an answer, the newest. */
const DELIVERIES_SHOWN = 50;

const CreateInput = Input({
  name: Type.String({ maxLength: 256 }),
  wallet: Type.Optional(Type.Integer({ minimum: 0, maximum: 1e12 })),
  allowPrivate: Type.Optional(Type.Boolean()),
});
const NameParams = Input({ name: Type.String() });

interface SandboxControlDeps {
  accountId: string;
  keyFile: Pick<FileSealer, "derive">;
}

/**
 * Returns the token of the owner's commands, which everybody with access to the data directory can
 * derive.
 * @returns undefined if there is no key file
 */
export function deriveControlToken(
  keyFile: SandboxControlDeps["keyFile"],
  options: { create: boolean },
): string | undefined {
  return keyFile.derive(TOKEN_PURPOSE, options)?.bytes.toString("hex");
}

/** Registers `/sandbox/control` for the owner's commands on this machine. */
async function registerSandboxControl(
  app: App,
  sandboxes: NamedSandboxes,
  { accountId, keyFile }: SandboxControlDeps,
): Promise<void> {
  const author = { accountId };
  const schema = { hide: true };
  const named = { ...schema, params: NameParams };
  await app.register(
    async (scope) => {
      const control = scope as App;
      control.addHook("onRequest", async (request) => requireToken(request, keyFile));
      control.get("", { schema }, async () => ({ list: sandboxes.list() }));
      control.post(
        "",
        { schema: { ...schema, body: CreateInput } },
        ({ body: { name, ...options } }) => sandboxes.create(author, name, options),
      );
      control.delete("/:name", { schema: named }, async ({ params }) => {
        await sandboxes.delete(author, params.name);
        return {};
      });
      control.put("/:name/clock", { schema: { ...named, body: SpeedInput } }, (request) =>
        sandboxes.setSpeed(author, request.params.name, request.body.speed),
      );
      const advance = { schema: { ...named, body: AdvanceInput } };
      control.post("/:name/clock/advance", advance, ({ params, body }, reply) =>
        sandboxes.advance(author, params.name, body, createCloseSignal(reply)),
      );
      const scenario = { schema: { ...named, body: ScenarioInput } };
      control.put("/:name/scenario", scenario, async ({ params, body }) => {
        await sandboxes.setScenario(author, params.name, body.name);
        return body;
      });
      control.delete("/:name/scenario", { schema: named }, async ({ params }) => {
        await sandboxes.setScenario(author, params.name, undefined);
        return {};
      });
      control.get("/:name/wallet", { schema: named }, ({ params }) =>
        sandboxes.getWallet(params.name),
      );
      const wallet = { schema: { ...named, body: WalletInput } };
      control.put("/:name/wallet", wallet, ({ params, body }) =>
        sandboxes.setWallet(author, params.name, body.availableBalance),
      );
      control.get("/:name/deliveries", { schema: named }, ({ params }) =>
        sandboxes.listDeliveries(params.name, { _limit: DELIVERIES_SHOWN, _offset: 0 }),
      );
      control.post("/:name/reset", { schema: named }, async ({ params }) => {
        await sandboxes.reset(author, params.name);
        return {};
      });
    },
    { prefix: "/sandbox/control" },
  );
}

/** @throws Problem NOT_FOUND without the token, as for an unknown route */
function requireToken(request: FastifyRequest, keyFile: SandboxControlDeps["keyFile"]): void {
  const sent = BEARER.exec(request.headers.authorization ?? "")?.[1];
  const token = sent && deriveControlToken(keyFile, { create: false });
  const isAllowed = token && timingSafeEqual(Buffer.from(sent), Buffer.from(token));
  if (!isAllowed || doorOf(request) !== "machine") throw nothingThere(request);
}
