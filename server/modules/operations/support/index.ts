import type { App } from "../../../http/app-types.ts";
import { handle } from "../../../http/pos-operations.ts";
import type { Base, Module } from "../../module.ts";
import { describeNetwork } from "../../shop/reach/index.ts";
import { makeSupportFile, type SupportDeps } from "./support-file.ts";

type SupportModuleDeps = Base & SupportDeps & { config: { host: string; port: number } };

export function createSupportModule(deps: SupportModuleDeps) {
  return {
    services: {},
    pos: (app) => registerSupportRoutes(app, deps),
  } satisfies Module;
}

async function registerSupportRoutes(app: App, deps: SupportModuleDeps): Promise<void> {
  const { supportOperations } = await import("../../../contract/pos/support.ts");
  handle(app, supportOperations.getNetwork, ({ request }) => {
    const { host, port } = deps.config;
    return describeNetwork(host, request.socket.localPort ?? port);
  });

  handle(app, supportOperations.makeFile, ({ actor: { accountId, staffId } }) =>
    makeSupportFile(deps, { accountId, staffId }),
  );
}
