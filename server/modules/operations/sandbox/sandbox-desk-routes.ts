import { sandboxOperations } from "../../../contract/pos/sandboxes.ts";
import type { App } from "../../../http/app-types.ts";
import { handle } from "../../../http/pos-operations.ts";
import { SCENARIOS } from "../../../providers/simulator/scenario.ts";
import type { NamedSandboxes } from "./named-sandboxes.ts";

/** Registers the owner's operations on named sandboxes. */
export function registerSandboxDesk(app: App, sandboxes: NamedSandboxes): void {
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
}
