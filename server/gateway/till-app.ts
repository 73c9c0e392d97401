import cookie from "@fastify/cookie";
import * as sse from "@fastify/sse";
import type { FastifyPluginAsync } from "fastify";
import { POS_PREFIX } from "../contract/pos/operation.ts";
import { OPERATIONS } from "../contract/pos/operations.ts";
import type { App } from "../http/app-types.ts";
import { requireOperations } from "../http/pos-operations.ts";
import { registerPages } from "../http/static-pages.ts";
import { requireWholeText } from "../http/validation.ts";
import { createCashierRecognizer } from "./authenticate.ts";
import type { Context } from "./context.ts";

/** `default` is only a type here. At run time the import is the plugin itself. */
const eventStreams = sse.default as unknown as FastifyPluginAsync;

export async function registerTill(app: App, ctx: Context): Promise<void> {
  await ctx.modules.serve("pages", app);
  await app.register((pos) => registerPos(pos as App, ctx), { prefix: POS_PREFIX });
  await registerPages(app, ctx.config.rendererDir);
}

async function registerPos(pos: App, ctx: Context): Promise<void> {
  await pos.register(cookie);
  await pos.register(eventStreams);
  pos.addHook("onRequest", createCashierRecognizer(ctx));
  requireWholeText(pos);
  requireOperations(pos, OPERATIONS);
  pos.decorate("requirePin", (actor, pin, place) => ctx.sessions.requirePin(actor, pin, place));
  await ctx.modules.serve("pos", pos);
}
