import { BrandPauseParams, BrandPauseQuery, BrandPauses } from "../../contract/pos/brand-pauses.ts";
import { type App, answers, cashierOf } from "../../http/app-types.ts";
import { requireOwner } from "../../http/staff-guard.ts";
import { toTimestamp } from "../../lib/clock.ts";
import type { BrandPauseService } from "./brand-pause-service.ts";

/** `/pos/brands`: brands that an owner pauses and resumes. */
export function registerBrandPauseRoutes(app: App, pauses: BrandPauseService): void {
  const onRequest = requireOwner;
  const schema = {
    params: BrandPauseParams,
    querystring: BrandPauseQuery,
    response: answers(BrandPauses),
  };

  async function view(scope: Parameters<BrandPauseService["list"]>[0]) {
    const list = await pauses.list(scope);
    return {
      list: list.map(({ brand, pausedSince, pausedByHand }) => ({
        brand,
        pausedSince: toTimestamp(pausedSince),
        byHand: pausedByHand,
      })),
    };
  }

  app.get(
    "/brands/pauses",
    { onRequest, schema: { querystring: BrandPauseQuery, response: answers(BrandPauses) } },
    (request) => {
      const { accountId } = cashierOf(request);
      return view({ accountId, environment: request.query.environment });
    },
  );

  app.put("/brands/:brand/pause", { onRequest, schema }, async (request) => {
    const { accountId, staffId } = cashierOf(request);
    const actor = { accountId, staffId, environment: request.query.environment };
    await pauses.pause(actor, request.params.brand);
    return view(actor);
  });

  app.delete("/brands/:brand/pause", { onRequest, schema }, async (request) => {
    const { accountId, staffId } = cashierOf(request);
    const actor = { accountId, staffId, environment: request.query.environment };
    await pauses.resume(actor, request.params.brand);
    return view(actor);
  });
}
