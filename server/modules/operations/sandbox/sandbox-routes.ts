import type { FastifyRequest } from "fastify";
import { Type } from "typebox";
import { Input } from "../../../contract/common.ts";
import { WebhookInput, WebhookKind } from "../../../contract/pos/webhooks.ts";
import type { App } from "../../../http/app-types.ts";
import { nothingThere } from "../../../http/doors.ts";
import { MINUTE } from "../../../lib/clock.ts";
import { SCENARIOS } from "../../../providers/simulator/scenario.ts";
import type { KeyService } from "../../shop/keys/index.ts";
import type { ClockService } from "./clock-service.ts";
import type { Sandbox } from "./sandbox.ts";
import { SPEEDS } from "./sandbox-clock.ts";
import type { SandboxWebhooks } from "./sandbox-webhooks.ts";

const BEARER = /^Bearer +([\x21-\x7e]{1,256}) *$/i;

const SpeedInput = Input({ speed: Type.Enum([...SPEEDS]) });
const AdvanceInput = Input({ by: Type.Optional(Type.String()), to: Type.Optional(Type.String()) });
const ScenarioInput = Input({ name: Type.String() });
const FaultsInput = Input({
  latencyMs: Type.Optional(Type.Integer({ minimum: 0, maximum: MINUTE })),
  resetAfterAccept: Type.Optional(Type.Boolean()),
  status: Type.Optional(Type.Enum([429, 500, 503])),
  duplicateWebhooks: Type.Optional(Type.Boolean()),
  reorderWebhooks: Type.Optional(Type.Boolean()),
});
const TargetInput = Input({
  url: WebhookInput.properties.url,
  kinds: Type.Optional(Type.Array(WebhookKind, { minItems: 1, maxItems: 8 })),
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
  app.post("/clock/advance", { schema: { ...schema, body: AdvanceInput } }, ({ body }) =>
    clockService.advance(body),
  );

  app.get("/scenarios", { schema }, async () => ({
    list: SCENARIOS.map(({ name, description }) => ({ name, description })),
  }));
  app.put("/scenario", { schema: { ...schema, body: ScenarioInput } }, async ({ body }) => {
    sandbox.scenarios.set(body.name);
    return { name: body.name };
  });
  app.delete("/scenario", { schema }, async () => {
    sandbox.scenarios.set(undefined);
    return {};
  });

  app.get("/faults", { schema }, async () => sandbox.faults.settings);
  app.put("/faults", { schema: { ...schema, body: FaultsInput } }, async ({ body }) => {
    sandbox.faults.set(body);
    return body;
  });
  app.delete("/faults", { schema }, async () => {
    sandbox.faults.set({});
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
}
