import { join } from "node:path";
import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import fastify, {
  type FastifyBaseLogger,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from "fastify";
import { Problem } from "../contract/problem.ts";
import { createProxyTrust } from "../http/addresses.ts";
import { setAnswerHeaders } from "../http/answer-headers.ts";
import type { App } from "../http/app-types.ts";
import { registerCatalogAnswers } from "../http/catalog-answers.ts";
import { registerConnectionLimits, registerGoodbye } from "../http/connections.ts";
import { createDeviceGuard } from "../http/device-guard.ts";
import { registerDocs } from "../http/docs-door.ts";
import { doorOf, guardDoor, isOfReceipt } from "../http/doors.ts";
import { answerBrokenRequest, handleError, toErrorBody } from "../http/error-handler.ts";
import { createHostGuard } from "../http/host-guard.ts";
import { registerJsonBody } from "../http/json-body.ts";
import { LaterApp, registerHandOver, registerSandboxHandOver } from "../http/later-app.ts";
import { registerNotFound } from "../http/not-found.ts";
import { requireScopes } from "../http/operation-scopes.ts";
import { createPresenceGuard } from "../http/presence-guard.ts";
import { createRateLimit, type LimitRate } from "../http/rate-limit.ts";
import { registerRememberedAnswers } from "../http/remembered-answers.ts";
import { registerRequestLog } from "../http/request-log.ts";
import { createSerializerCompiler, OWN_COMPILERS } from "../http/serialization.ts";
import { ServerSet } from "../http/server-set.ts";
import {
  createValidatorCompiler,
  refuseUnknownParameters,
  requireWholeText,
} from "../http/validation.ts";
import { SECOND } from "../lib/clock.ts";
import { recordRequests } from "../modules/operations/request-log/index.ts";
import { describeSandboxRoutes } from "../modules/operations/sandbox/index.ts";
import { COMMAND_LINE, PROGRAM_DIR } from "../program.ts";
import { VERSION } from "../version.ts";
import { createKeyAuthenticator } from "./authenticate.ts";
import type { Context } from "./context.ts";

const BODY_LIMIT_BYTES = 64 * 1024;

interface Watch {
  over(app: App): Promise<void>;
}

/**
 * Creates the gateway's HTTP application. The part for programs exists from the start. The part for
 * tills is created at its first request.
 * @param servers the application adds its own server; network servers follow later
 * @param till can also create the tills' part before its first request
 */
export async function buildApp(
  ctx: Context,
  servers: ServerSet = new ServerSet(),
  till: LaterApp = new LaterApp(),
): Promise<App> {
  const app = newApp(ctx);
  registerHandOver(app, till);
  const watch = createWatch(ctx, app, servers);
  await watch.over(app);
  app.addHook("preClose", () => till.close());
  if (ctx.namedSandboxes) registerSandboxHandOver(app, ctx.namedSandboxes);
  await registerPrograms(app, ctx);
  till.makeBy(async () => {
    const { registerTill } = await import("./till-app.ts");
    const made = newApp(ctx);
    await watch.over(made);
    await registerTill(made, ctx);
    return made;
  });
  return app;
}

/**
 * Creates the application of a named sandbox. The gateway that passes its requests on limits
 * connections, and checks hosts and listeners.
 * @param log the gateway's log
 */
export async function buildSandboxApp(ctx: Context, log: FastifyBaseLogger): Promise<App> {
  const app = newApp(ctx);
  registerRequestLog(app, log);
  app.addHook("onRequest", (request, reply, done) => {
    setAnswerHeaders(request, reply);
    done();
  });
  registerNotFound(app);
  const limitRate = createRateLimit({ ...ctx, clock: ctx.machineClock });
  await serveRoot(app, ctx, limitRate);
  await app.register((v1) => registerV1(v1 as App, ctx, limitRate), { prefix: "/v1" });
  await app.ready();
  return app;
}

function newApp(ctx: Context): App {
  const { trustedProxies: trusted = [] } = ctx.config;
  const app = fastify({
    loggerInstance: ctx.log,
    // Without trusted proxies, `X-Forwarded-For` is ignored.
    trustProxy: trusted.length > 0 && createProxyTrust(trusted),
    bodyLimit: BODY_LIMIT_BYTES,
    genReqId: () => ctx.ids.uuid(),
    logController: new LogController({ disableRequestLogging: true }),
    // Creating a logger for each request takes longer than most requests. Log calls name the
    // request instead.
    childLoggerFactory: (log) => log,
    schemaController: OWN_COMPILERS,
    return503OnClosing: false,
    // No plugin waits, so a timeout is unnecessary. A timer for each plugin would slow down the
    // start.
    pluginTimeout: 0,
    requestTimeout: 30 * SECOND,
    http: { headersTimeout: 10 * SECOND, connectionsCheckingInterval: 5 * SECOND },
    routerOptions: { maxParamLength: 256, ignoreTrailingSlash: true },
    // A URL that cannot be decoded never reaches a route.
    frameworkErrors: (_error, request, reply: FastifyReply) => {
      const address = request.url.slice(0, 128);
      const problem = new Problem("INVALID_REQUEST", `The address ${address} is not valid.`, {
        path: "must be a URL path whose parts are at most 256 characters each",
      });
      reply.header("x-request-id", request.id).status(problem.status).send(toErrorBody(problem));
    },
    clientErrorHandler: (error, socket) => answerBrokenRequest(error, socket, ctx.ids.uuid()),
  }).withTypeProvider<TypeBoxTypeProvider>();
  app.setValidatorCompiler(createValidatorCompiler());
  app.setSerializerCompiler(createSerializerCompiler());
  app.setErrorHandler(handleError);
  app.addHook("onError", (_request, _reply, error, done) => {
    ctx.health.failedToRead(error);
    done();
  });
  registerJsonBody(app);
  app.decorateRequest("client", undefined);
  app.decorateRequest("actor", undefined);
  app.decorateRequest("device", undefined);
  return app;
}

function createWatch(ctx: Context, programs: App, servers: ServerSet): Watch {
  let stopping = false;
  programs.addHook("preClose", async () => {
    stopping = true;
  });
  const noteAnswer = registerGoodbye(programs, servers, ctx.machineClock);
  const isProxy = createProxyTrust(ctx.config.trustedProxies ?? []);
  const limits = { ...ctx, clock: ctx.machineClock, limits: ctx.connectionLimits, isProxy };
  const refuseExcess = registerConnectionLimits(programs, servers, limits);
  servers.add({ server: programs.server, isSecure: false });
  const guardPresence = createPresenceGuard(ctx.presence, ctx.log, isAboutLife);
  const { host, allowedHosts, apiListen, tillListen } = ctx.config;
  const guardHosts = {
    machine: createHostGuard(host, allowedHosts),
    api: createHostGuard(apiListen?.host ?? host, allowedHosts, { isSecure: true }),
    till: createHostGuard(tillListen?.host ?? host, allowedHosts, { isSecure: true }),
  };
  const guardDevice = createDeviceGuard(ctx.devices, ctx.receiptPages);
  return {
    async over(app) {
      registerRequestLog(app, ctx.log);
      app.addHook("onResponse", noteAnswer);
      app.addHook("onRequest", refuseExcess);
      app.addHook("onRequest", (request, reply, done) => {
        setAnswerHeaders(request, reply);
        if (stopping && !isAboutLife(request)) {
          throw new Problem("SYSTEM_UNAVAILABLE", "Tillgate is stopping.");
        }
        guardPresence(request);
        if (isAboutData(request)) ctx.check.requireUsable();
        // Requests for receipts carry the host name of the shop's proxy or tunnel. Only the link
        // identifies the customer, so a foreign site that opens the link gains nothing.
        if (!isOfReceipt(request)) guardHosts[doorOf(request)](request);
        guardDoor(request);
        done();
      });
      app.addHook("onRequest", guardDevice);
      registerNotFound(app);
      await ctx.modules.serve("everywhere", app);
    },
  };
}

async function registerPrograms(app: App, ctx: Context): Promise<void> {
  const limitRate = createRateLimit({ ...ctx, clock: ctx.machineClock });
  await serveRoot(app, ctx, limitRate);
  registerDocs(app, {
    version: VERSION,
    guidesDir: join(PROGRAM_DIR, "docs"),
    commandLine: COMMAND_LINE,
    sandboxRoutes: describeSandboxRoutes(),
  });
  await app.register((v1) => registerV1(v1 as App, ctx, limitRate), { prefix: "/v1" });
  await app.register(async (hooks) => ctx.modules.serve("hooks", hooks as App), {
    prefix: "/hooks",
  });
}

/** Liveness checks get a response even while all other requests are refused. */
function isAboutLife(request: FastifyRequest): boolean {
  return request.routeOptions.url === "/healthz";
}

function isAboutData({ routeOptions }: FastifyRequest): boolean {
  return /^\/(v1|pos|hooks|r|sandbox)\//.test(routeOptions.url ?? "");
}

/** Requests of a sandbox's own key to `/sandbox/v1` count toward the limit of `/v1`. */
async function serveRoot(app: App, ctx: Context, limitRate: LimitRate): Promise<void> {
  await app.register(async (scope) => {
    const root = scope as App;
    if (ctx.clockService) limitRate(root);
    await ctx.modules.serve("root", root);
  });
}

async function registerV1(v1: App, ctx: Context, limitRate: LimitRate): Promise<void> {
  await ctx.modules.serve("v1Public", v1);
  await v1.register(async (scope) => {
    const keyed = scope as App;
    refuseUnknownParameters(keyed);
    requireWholeText(keyed);
    keyed.addHook("onRequest", createKeyAuthenticator(ctx.keys));
    if (ctx.recordsRequests !== false) recordRequests(keyed, ctx);
    limitRate(keyed);
    requireScopes(keyed);
    registerCatalogAnswers(keyed);
    registerRememberedAnswers(keyed, ctx.watch);
    await ctx.modules.serve("v1", keyed);
  });
}
