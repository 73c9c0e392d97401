import { supportOperations } from "../../../contract/pos/support.ts";
import type { App } from "../../../http/app-types.ts";
import { handle } from "../../../http/pos-operations.ts";
import { describeNetwork } from "../../shop/reach/index.ts";
import { makeSupportFile, type SupportDeps } from "./support-file.ts";

type SupportRoutesDeps = SupportDeps & { config: { host: string; port: number } };

export function registerSupportRoutes(app: App, deps: SupportRoutesDeps): void {
  handle(app, supportOperations.getNetwork, ({ request }) => {
    const { host, port } = deps.config;
    return describeNetwork(host, request.socket.localPort ?? port);
  });

  handle(app, supportOperations.makeFile, ({ actor: { accountId, staffId } }) =>
    makeSupportFile(deps, { accountId, staffId }),
  );
}
