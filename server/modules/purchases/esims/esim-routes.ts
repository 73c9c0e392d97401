import { EsimParams, EsimPlans } from "../../../contract/v1/esims.ts";
import { type App, answers, clientOf } from "../../../http/app-types.ts";
import { toTimestamp } from "../../../lib/clock.ts";
import type { EsimService } from "./esim-service.ts";

/** Registers `/esim/{iccId}/plans` (rules#esim-plans). */
export function registerEsimRoutes(app: App, esims: EsimService): void {
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
