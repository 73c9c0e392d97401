import { brandPauseOperations } from "../../../contract/pos/brands.ts";
import type { App } from "../../../http/app-types.ts";
import { handle } from "../../../http/pos-operations.ts";
import { toTimestamp } from "../../../lib/clock.ts";
import type { BrandPauseService } from "./brand-pauses.ts";

export function registerBrandPauseRoutes(app: App, pauses: BrandPauseService): void {
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

  handle(app, brandPauseOperations.list, ({ actor, query }) =>
    view({ accountId: actor.accountId, environment: query.environment }),
  );

  handle(app, brandPauseOperations.pause, async ({ actor, params, query }) => {
    const { accountId, staffId } = actor;
    const author = { accountId, staffId, environment: query.environment };
    await pauses.pause(author, params.brand);
    return view(author);
  });

  handle(app, brandPauseOperations.resume, async ({ actor, params, query }) => {
    const { accountId, staffId } = actor;
    const author = { accountId, staffId, environment: query.environment };
    await pauses.resume(author, params.brand);
    return view(author);
  });
}
