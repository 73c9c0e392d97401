import { timingSafeEqual } from "node:crypto";
import type { FastifyRequest } from "fastify";
import { Type } from "typebox";
import { Input } from "../../../contract/common.ts";
import {
  AdvanceInput,
  ScenarioInput,
  SpeedInput,
  WalletInput,
} from "../../../contract/v1/sandbox.ts";
import type { App } from "../../../http/app-types.ts";
import { doorOf, nothingThere } from "../../../http/doors.ts";
import type { FileSealer } from "../../../lib/sealer.ts";
import type { NamedSandboxes } from "./named-sandboxes.ts";
import { createCloseSignal } from "./sandbox-routes.ts";

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

export interface SandboxControlDeps {
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
export async function registerSandboxControl(
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
