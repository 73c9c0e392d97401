import { EsimParams, EsimPlans } from "../../../contract/v1/esims.ts";
import { type App, answers, clientOf } from "../../../http/app-types.ts";
import { toTimestamp } from "../../../lib/clock.ts";
import type { ProviderOf } from "../../../providers/provider.ts";
import type { Base, Module } from "../../module.ts";
import { EsimService } from "./esim-service.ts";

export { EsimService } from "./esim-service.ts";
export { findEsim, isEsimGone, recordEsim } from "./esim-store.ts";
export { drawQrCode } from "./qr-code.ts";

type Deps = Base & { providerOf: ProviderOf };

export function createEsimsModule(deps: Deps) {
  const esims = new EsimService(deps);
  return {
    services: { esims },
    v1: (app) => registerEsimRoutes(app, esims),
  } satisfies Module;
}

/** Registers `/esim/{iccId}/plans` (rules#esim-plans). */
function registerEsimRoutes(app: App, esims: EsimService): void {
  app.get(
    "/esim/:iccId/plans",
    {
      schema: {
        operationId: "listEsimPlans",
        summary: "List the active and queued plans of an eSIM",
        tags: ["eSIM"],
        params: EsimParams,
        response: answers(EsimPlans),
      },
    },
    async (request) => {
      const { plans, firstInstalledAt } = await esims.getPlans(
        clientOf(request),
        request.params.iccId,
      );
      return {
        list: plans,
        total: plans.length,
        firstInstalledAt: firstInstalledAt === undefined ? "" : toTimestamp(firstInstalledAt),
      };
    },
  );
}
