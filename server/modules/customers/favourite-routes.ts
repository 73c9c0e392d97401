import { PosPhone } from "../../contract/pos/counter.ts";
import {
  CarrierInput,
  FavouriteInput,
  Favourites,
  NumberParams,
} from "../../contract/pos/favourites.ts";
import { type App, answers, cashierOf } from "../../http/app-types.ts";
import { requireStaff } from "../../http/staff-guard.ts";
import type { FavouriteService } from "./favourite-service.ts";

/** What the shop knows of its customers' numbers. */
export function registerFavouriteRoutes(app: App, favourites: FavouriteService): void {
  const onRequest = requireStaff;

  app.get(
    "/favourites",
    { onRequest, schema: { response: answers(Favourites) } },
    async (request) => ({ list: await favourites.list(cashierOf(request)) }),
  );

  app.put(
    "/favourites/:number",
    {
      onRequest,
      schema: { params: NumberParams, body: FavouriteInput, response: answers(Favourites) },
    },
    async (request) => {
      const { number } = request.params;
      return { list: await favourites.save(cashierOf(request), number, request.body.name) };
    },
  );

  app.delete(
    "/favourites/:number",
    { onRequest, schema: { params: NumberParams, response: answers(Favourites) } },
    async (request) => ({
      list: await favourites.remove(cashierOf(request), request.params.number),
    }),
  );

  app.put(
    "/phone/:number/carrier",
    {
      onRequest,
      schema: { params: NumberParams, body: CarrierInput, response: answers(PosPhone) },
    },
    (request) => {
      const { number } = request.params;
      return favourites.rememberCarrier(cashierOf(request), number, request.body.brand);
    },
  );
}
