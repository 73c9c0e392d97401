import cookie from "@fastify/cookie";
import helmet from "@fastify/helmet";
import * as sse from "@fastify/sse";
import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import fastify, { type FastifyPluginAsync, type FastifyReply, LogController } from "fastify";
import type { Context } from "./context.ts";
import { Problem } from "./contract/problem.ts";
import type { App } from "./http/app-types.ts";
import { createCashierRecognizer, createKeyAuthenticator } from "./http/authenticate.ts";
import { registerGoodbye } from "./http/connections.ts";
import { answerBrokenRequest, handleError, toErrorBody } from "./http/error-handler.ts";
import { createHostGuard } from "./http/host-guard.ts";
import { registerNotFound } from "./http/not-found.ts";
import { registerOpenApi } from "./http/openapi.ts";
import { registerRateLimit } from "./http/rate-limit.ts";
import { registerPages } from "./http/static-pages.ts";
import { createValidatorCompiler } from "./http/validation.ts";
import { SECOND } from "./lib/clock.ts";
import {
  registerBrandPictures,
  registerBrandRoutes,
  registerOfferRoutes,
  registerPromoRoutes,
} from "./modules/catalog/index.ts";
import { registerEventRoutes } from "./modules/events/index.ts";
import {
  registerTopupPurchaseRoutes,
  registerVoucherPurchaseRoutes,
} from "./modules/purchases/index.ts";
import { registerSaleRoutes } from "./modules/sales/index.ts";
import { registerSetupRoutes } from "./modules/shop/index.ts";
import { registerStaffRoutes } from "./modules/staff/index.ts";
import { registerTransactionRoutes } from "./modules/transactions/index.ts";
import { registerBalanceRoutes } from "./modules/wallet/index.ts";
import { VERSION } from "./version.ts";

/** The wrapped plugin: its types call it `default`, at run time it is the module itself. */
const eventStreams = sse.default as unknown as FastifyPluginAsync;

const BODY_LIMIT_BYTES = 64 * 1024;

/** The gateway's HTTP application, wired and not listening. */
export async function buildApp(ctx: Context): Promise<App> {
  const app = fastify({
    loggerInstance: ctx.log,
    bodyLimit: BODY_LIMIT_BYTES,
    genReqId: () => ctx.ids.uuid(),
    logController: new LogController({
      disableRequestLogging: ctx.config.logLevel !== "debug",
    }),
    return503OnClosing: false,
    requestTimeout: 30 * SECOND,
    routerOptions: { maxParamLength: 256 },
    // A URL that cannot be decoded never reaches a route.
    frameworkErrors: (_error, request, reply: FastifyReply) => {
      const problem = new Problem("INVALID_REQUEST", `The address ${request.url} is not valid.`);
      reply.header("x-request-id", request.id);
      reply.status(problem.status).send(toErrorBody(problem));
    },
    clientErrorHandler: (error, socket) => answerBrokenRequest(error, socket, ctx.ids.uuid()),
  }).withTypeProvider<TypeBoxTypeProvider>();

  app.setValidatorCompiler(createValidatorCompiler());
  app.setErrorHandler(handleError);
  // Bodies are JSON; anything else is 415.
  app.removeContentTypeParser("text/plain");
  app.decorateRequest("principal", undefined);
  app.decorateRequest("cashier", undefined);
  app.addHook("onRequest", async (request, reply) => {
    reply.header("x-request-id", request.id);
  });
  let stopping = false;
  app.addHook("preClose", async () => {
    stopping = true;
  });
  app.addHook("onRequest", async () => {
    if (stopping) throw new Problem("SYSTEM_UNAVAILABLE", "Tillgate is stopping.");
  });
  registerGoodbye(app, ctx.clock);
  app.addHook("onRequest", createHostGuard(ctx.config.host, ctx.config.allowedHosts));
  registerNotFound(app);
  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        // The component library writes its variables into style elements.
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", "data:"],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
      },
    },
    // The port speaks plain HTTP on this machine or the shop's own network.
    strictTransportSecurity: false,
  });
  await registerOpenApi(app, VERSION);
  await app.register((v1) => registerV1(v1 as App, ctx), { prefix: "/v1" });
  await app.register((pos) => registerPos(pos as App, ctx), { prefix: "/pos" });
  await registerPages(app, ctx.config.rendererDir);
  return app;
}

/** The public contract, behind an API key. */
async function registerV1(v1: App, ctx: Context): Promise<void> {
  v1.get("/openapi.json", { schema: { hide: true } }, () => v1.swagger());
  registerBrandPictures(v1, ctx.brands, ctx.accountId);
  await v1.register(async (scope) => {
    const keyed = scope as App;
    keyed.addHook("onRequest", createKeyAuthenticator(ctx.keys));
    registerRateLimit(keyed, ctx.rateLimit, ctx.clock);
    registerBalanceRoutes(keyed, ctx.wallet);
    registerBrandRoutes(keyed, ctx.brands);
    registerOfferRoutes(keyed, ctx.catalog);
    registerTopupPurchaseRoutes(keyed, ctx.purchases);
    registerVoucherPurchaseRoutes(keyed, ctx.purchases);
    registerTransactionRoutes(keyed, ctx.transactions);
    registerPromoRoutes(keyed, ctx.promos);
  });
}

/** What the till needs, behind a staff session. */
async function registerPos(pos: App, ctx: Context): Promise<void> {
  await pos.register(cookie);
  await pos.register(eventStreams);
  pos.addHook("onRequest", createCashierRecognizer(ctx.sessions, ctx.shop));
  registerSetupRoutes(pos, { ...ctx, version: VERSION });
  registerStaffRoutes(pos, ctx);
  registerSaleRoutes(pos, ctx);
  registerEventRoutes(pos, { feed: ctx.events, sessions: ctx.sessions });
}
