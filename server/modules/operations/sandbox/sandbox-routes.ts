import type { FastifyReply, FastifyRequest } from "fastify";
import { Type } from "typebox";
import { Input } from "../../../contract/common.ts";
import { SPEEDS } from "../../../contract/pos/sandboxes.ts";
import { WEBHOOK_KINDS, WebhookInput, WebhookKind } from "../../../contract/pos/webhooks.ts";
import type { App } from "../../../http/app-types.ts";
import { nothingThere } from "../../../http/doors.ts";
import { SCENARIOS } from "../../../providers/simulator/scenario.ts";
import type { KeyService } from "../../shop/keys/index.ts";
import type { ClockService } from "./clock-service.ts";
import { FaultSettings } from "./faults.ts";
import type { Sandbox } from "./sandbox.ts";
import type { SandboxWebhooks } from "./sandbox-webhooks.ts";

const BEARER = /^Bearer +([\x21-\x7e]{1,256}) *$/i;

export const SpeedInput = Input({ speed: Type.Enum([...SPEEDS]) });
export const AdvanceInput = Input({
  by: Type.Optional(Type.String()),
  to: Type.Optional(Type.String()),
});
export const ScenarioInput = Input({ name: Type.String() });
const TargetInput = Input({
  url: WebhookInput.properties.url,
  kinds: Type.Optional(Type.Array(WebhookKind, { minItems: 1, maxItems: WEBHOOK_KINDS.length })),
});

interface SandboxRoutesDeps {
  keys: KeyService;
  sandbox: Sandbox;
  clockService: ClockService;
  sandboxWebhooks: SandboxWebhooks;
}

/** Registers `/sandbox/v1`, which only the sandbox's own key may use. */
export function registerSandboxRoutes(app: App, deps: SandboxRoutesDeps): void {
  const { clockService, sandboxWebhooks, sandbox } = deps;
  app.addHook("onRequest", (request) => requireSandboxKey(request, deps));
  const schema = { hide: true };

  app.get("/clock", { schema }, async () => clockService.read());
  app.put("/clock", { schema: { ...schema, body: SpeedInput } }, ({ body }) =>
    clockService.setSpeed(body.speed),
  );
  app.post("/clock/advance", { schema: { ...schema, body: AdvanceInput } }, ({ body }, reply) =>
    clockService.advance(body, createCloseSignal(reply)),
  );

  app.get("/scenarios", { schema }, async () => ({
    list: SCENARIOS.map(({ name, description }) => ({ name, description })),
  }));
  app.put("/scenario", { schema: { ...schema, body: ScenarioInput } }, async ({ body }) => {
    sandbox.scenarios.set(body.name);
    await sandbox.save();
    return { name: body.name };
  });
  app.delete("/scenario", { schema }, async () => {
    sandbox.scenarios.set(undefined);
    await sandbox.save();
    return {};
  });

  app.get("/faults", { schema }, async () => sandbox.faults.settings);
  app.put("/faults", { schema: { ...schema, body: FaultSettings } }, async ({ body }) => {
    sandbox.faults.set(body);
    await sandbox.save();
    return body;
  });
  app.delete("/faults", { schema }, async () => {
    sandbox.faults.set({});
    await sandbox.save();
    return {};
  });

  app.put("/webhook", { schema: { ...schema, body: TargetInput } }, ({ body }) =>
    sandboxWebhooks.set(body.url, body.kinds),
  );
  app.delete("/webhook", { schema }, async () => {
    await sandboxWebhooks.remove();
    return {};
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
