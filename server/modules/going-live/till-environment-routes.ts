import {
  RateInput,
  Readiness,
  ReadinessInput,
  ShopRate,
  TillEnvironment,
  TillEnvironmentInput,
  TillState,
} from "../../contract/pos/till-environment.ts";
import { type App, answers, cashierOf } from "../../http/app-types.ts";
import { placeOf, setDeviceCookie } from "../../http/device-cookie.ts";
import { requireOwner } from "../../http/staff-guard.ts";
import type { ShopService } from "../shop/index.ts";
import type { SessionService } from "../staff/index.ts";
import type { TillEnvironmentService } from "./till-environment-service.ts";

interface Parts {
  tillEnvironment: TillEnvironmentService;
  sessions: SessionService;
  shop: ShopService;
}

/** `/pos/till-environment`: an owner takes the shop live and back. */
export function registerTillEnvironmentRoutes(
  app: App,
  { tillEnvironment, sessions, shop }: Parts,
): void {
  const onRequest = requireOwner;

  app.get("/till-environment", { onRequest, schema: { response: answers(TillState) } }, (request) =>
    tillEnvironment.getState(cashierOf(request).accountId),
  );

  // The gateway is asked, so it is no GET.
  app.post(
    "/till-environment/checks",
    { onRequest, schema: { body: ReadinessInput, response: answers(Readiness) } },
    (request) => tillEnvironment.check(cashierOf(request).accountId, request.body.to),
  );

  app.put(
    "/till-environment",
    { onRequest, schema: { body: TillEnvironmentInput, response: answers(TillEnvironment) } },
    async (request, reply) => {
      const cashier = cashierOf(request);
      const { to, pin, shopName } = request.body;
      if (to === "live") await tillEnvironment.requireName(cashier.accountId, shopName);
      setDeviceCookie(reply, await sessions.confirm(cashier, pin, placeOf(request)));
      const { environment } = await tillEnvironment.switch(cashier, to);
      return { environment };
    },
  );

  app.put(
    "/rate",
    { onRequest, schema: { body: RateInput, response: answers(ShopRate) } },
    (request) => shop.setRate(cashierOf(request), request.body.rate),
  );
}
