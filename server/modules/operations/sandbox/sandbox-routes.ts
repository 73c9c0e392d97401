import type { FastifyReply, FastifyRequest, HTTPMethods, RouteOptions } from "fastify";
import type { TSchema } from "typebox";
import { Balance } from "../../../contract/v1/balance.ts";
import {
  AdvanceInput,
  Empty,
  FaultSettings,
  SandboxAdvance,
  SandboxClock,
  ScenarioChoice,
  ScenarioInput,
  ScenarioList,
  SpeedInput,
  WalletInput,
  WebhookTarget,
  WebhookTargetInput,
} from "../../../contract/v1/sandbox.ts";
import { type App, answers } from "../../../http/app-types.ts";
import { nothingThere } from "../../../http/doors.ts";
import { SCENARIOS } from "../../../providers/simulator/scenario.ts";
import type { KeyService } from "../../shop/keys/index.ts";
import type { ClockService } from "./clock-service.ts";
import type { Sandbox } from "./sandbox.ts";
import type { SandboxWallet } from "./sandbox-wallet.ts";
import type { SandboxWebhooks } from "./sandbox-webhooks.ts";

const BEARER = /^Bearer +([\x21-\x7e]{1,256}) *$/i;

const PREFIX = "/sandbox/v1";

/** Describes a success, and the errors except 401: a wrong key gets 404. */
function answersOf<Success extends TSchema>(success: Success) {
  const { 401: _, ...described } = answers(success);
  return described;
}

function describeRoute<
  Method extends HTTPMethods,
  Schema extends Record<"operationId" | "summary" | "description", string> & {
    body?: TSchema;
    response: TSchema;
  },
>(method: Method, url: string, schema: Schema) {
  const response = answersOf<Schema["response"]>(schema.response);
  return { method, url, schema: { ...schema, tags: ["Sandbox"], response } };
}

const ROUTES = {
  readClock: describeRoute("GET", "/clock", {
    operationId: "getSandboxClock",
    summary: "Get the clock",
    description: "Returns the time and the speed of the sandbox's clock.",
    response: SandboxClock,
  }),
  setSpeed: describeRoute("PUT", "/clock", {
    operationId: "setSandboxSpeed",
    summary: "Set the speed of the clock",
    description: "Sets the seconds of the sandbox in a second.",
    body: SpeedInput,
    response: SandboxClock,
  }),
  advance: describeRoute("POST", "/clock/advance", {
    operationId: "advanceSandboxClock",
    summary: "Advance the clock",
    description:
      "Advances by a duration, to a time, or to the next deadline. Answers when all work due by then has finished. A closed connection ends the advance.",
    body: AdvanceInput,
    response: SandboxAdvance,
  }),
  listScenarios: describeRoute("GET", "/scenarios", {
    operationId: "listSandboxScenarios",
    summary: "List the scenarios",
    description: "Each can be sent with a purchase, as the header X-Sandbox-Scenario.",
    response: ScenarioList,
  }),
  setScenario: describeRoute("PUT", "/scenario", {
    operationId: "setSandboxScenario",
    summary: "Set the scenario",
    description: "Applies to new purchases that name none.",
    body: ScenarioInput,
    response: ScenarioChoice,
  }),
  clearScenario: describeRoute("DELETE", "/scenario", {
    operationId: "clearSandboxScenario",
    summary: "Clear the scenario",
    description: "The recipient decides the outcome of new purchases again.",
    response: Empty,
  }),
  readFaults: describeRoute("GET", "/faults", {
    operationId: "getSandboxFaults",
    summary: "Get the faults",
    description: "Returns the faults that apply.",
    response: FaultSettings,
  }),
  setFaults: describeRoute("PUT", "/faults", {
    operationId: "setSandboxFaults",
    summary: "Set the faults",
    description: "Replaces all faults.",
    body: FaultSettings,
    response: FaultSettings,
  }),
  clearFaults: describeRoute("DELETE", "/faults", {
    operationId: "clearSandboxFaults",
    summary: "Clear the faults",
    description: "The gateway answers as usual again.",
    response: Empty,
  }),
  readWallet: describeRoute("GET", "/wallet", {
    operationId: "getSandboxWallet",
    summary: "Get the wallet's balance",
    description: "Returns the same balance as GET /v1/balance.",
    response: Balance,
  }),
  setWallet: describeRoute("PUT", "/wallet", {
    operationId: "setSandboxWallet",
    summary: "Set the wallet's balance",
    description: "Books a recharge or its reverse, which the transactions list.",
    body: WalletInput,
    response: Balance,
  }),
  setWebhook: describeRoute("PUT", "/webhook", {
    operationId: "setSandboxWebhook",
    summary: "Set the webhook",
    description: "Sends messages to this URL only, signed with the sandbox's webhook secret.",
    body: WebhookTargetInput,
    response: WebhookTarget,
  }),
  removeWebhook: describeRoute("DELETE", "/webhook", {
    operationId: "removeSandboxWebhook",
    summary: "Remove the webhook",
    description: "Cancels its pending messages.",
    response: Empty,
  }),
};

/** Returns the routes for the API description, also in a gateway that is no sandbox. */
export function describeSandboxRoutes(): RouteOptions[] {
  return Object.values(ROUTES).map(({ method, url, schema }) => ({
    method,
    url: PREFIX + url,
    schema,
    handler: () => undefined,
  }));
}

interface SandboxRoutesDeps {
  keys: KeyService;
  sandbox: Sandbox;
  clockService: ClockService;
  sandboxWallet: SandboxWallet;
  sandboxWebhooks: SandboxWebhooks;
}

/** Registers `/sandbox/v1`, which only the sandbox's own key may use. */
export async function registerSandboxRoutes(app: App, deps: SandboxRoutesDeps): Promise<void> {
  await app.register(async (scope) => addRoutes(scope as App, deps), { prefix: PREFIX });
}

function addRoutes(app: App, deps: SandboxRoutesDeps): void {
  const { clockService, sandboxWallet, sandboxWebhooks, sandbox } = deps;
  app.addHook("onRequest", (request) => requireSandboxKey(request, deps));

  app.route({ ...ROUTES.readClock, handler: async () => clockService.read() });
  app.route({ ...ROUTES.setSpeed, handler: ({ body }) => clockService.setSpeed(body.speed) });
  app.route({
    ...ROUTES.advance,
    handler: ({ body }, reply) => clockService.advance(body, createCloseSignal(reply)),
  });

  app.route({
    ...ROUTES.listScenarios,
    handler: async () => ({
      list: SCENARIOS.map(({ name, description }) => ({ name, description })),
    }),
  });
  const setScenario = async (name: string | undefined) => {
    sandbox.scenarios.set(name);
    await sandbox.save();
  };
  app.route({
    ...ROUTES.setScenario,
    handler: async ({ body: { name } }) => {
      await setScenario(name);
      return { name };
    },
  });
  app.route({
    ...ROUTES.clearScenario,
    handler: async () => {
      await setScenario(undefined);
      return {};
    },
  });

  const setFaults = async (faults: FaultSettings) => {
    sandbox.faults.set(faults);
    await sandbox.save();
    return faults;
  };
  app.route({ ...ROUTES.readFaults, handler: async () => sandbox.faults.settings });
  app.route({ ...ROUTES.setFaults, handler: ({ body }) => setFaults(body) });
  app.route({ ...ROUTES.clearFaults, handler: () => setFaults({}) });

  app.route({ ...ROUTES.readWallet, handler: () => sandboxWallet.read() });
  app.route({
    ...ROUTES.setWallet,
    handler: ({ body }) => sandboxWallet.set(body.availableBalance),
  });

  app.route({
    ...ROUTES.setWebhook,
    handler: ({ body }) => sandboxWebhooks.set(body.url, body.kinds),
  });
  app.route({
    ...ROUTES.removeWebhook,
    handler: async () => {
      await sandboxWebhooks.remove();
      return {};
    },
  });
}

/** Returns a signal that aborts when the request's connection closes. */
export function createCloseSignal({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController();
  raw.once("close", () => controller.abort());
  return controller.signal;
}

/** @throws Problem NOT_FOUND without the sandbox's key, as for an unknown route */
async function requireSandboxKey(
  request: FastifyRequest,
  { keys, sandbox }: SandboxRoutesDeps,
): Promise<void> {
  const key = BEARER.exec(request.headers.authorization ?? "")?.[1];
  if (key === undefined || !sandbox.access) throw nothingThere(request);
  const client =
    keys.recall(key, request.ip) ??
    (await keys.authenticate(key, request.ip).catch(() => undefined));
  if (client?.keyId !== sandbox.access.keyId) throw nothingThere(request);
  request.client = client;
}
