import { join } from "node:path";
import { sendGuarded } from "../lib/guarded-request.ts";
import type { OpenBy } from "../modules/operations/sandbox/index.ts";
import { buildSandboxApp } from "./app.ts";
import { type Context, createContext } from "./context.ts";

/**
 * Returns a function that opens a named sandbox: a gateway with its own database, clock and
 * application inside the process of another gateway, which checks addresses and connections.
 */
export function createSandboxOpener(main: Context): OpenBy {
  const { log, machineClock, rateLimit, readFreeBytes, sealer } = main;
  return async ({ dir, name, sandbox }) => {
    const { host, port, rendererDir, resourcesDir, trustedProxies = [] } = main.config;
    const files = { dataDir: dir, backupDir: join(dir, "backups"), rendererDir, resourcesDir };
    const own = { host, port, logLevel: "silent", logFile: undefined } as const;
    const ctx = await createContext(
      { ...files, ...own, allowedHosts: [], trustedProxies },
      {
        clock: sandbox.clock,
        machineClock,
        sandbox,
        sendOutgoing: sandbox.faults.wrap(sendGuarded),
        automaticBackups: false,
        automaticAlerts: false,
        auditAtStart: false,
        isLight: true,
        log: log.child({ sandbox: name }, { level: "warn" }),
        rateLimit,
        readFreeBytes,
        sealer: () => sealer,
      },
    );
    const stack = new AsyncDisposableStack();
    stack.defer(() => sandbox.clock.close());
    stack.defer(() => ctx.dispose());
    try {
      const app = await buildSandboxApp(ctx, log);
      stack.defer(() => app.close());
      await ctx.start();
      const { accountId, clockService, keys, requestLog, sandboxWallet, webhooks } = ctx;
      if (!clockService || !sandboxWallet) throw new Error("the sandbox has no clock");
      return {
        clock: clockService,
        sandbox,
        requests: {
          list: (query) => requestLog.list(accountId, { environment: "test", ...query }),
          get: (requestNo) => requestLog.get(accountId, requestNo),
        },
        wallet: sandboxWallet,
        async listDeliveries(query) {
          const { _limit: limit, _offset: offset } = query;
          return { limit, offset, ...(await webhooks.listDeliveries(accountId, query)) };
        },
        carryOut: (request, response) => app.routing(request, response),
        async createKey(keyName, wallet) {
          if (wallet !== undefined) await sandboxWallet.set(wallet);
          return keys.create({ accountId, environment: "test" }, keyName);
        },
        close: () => stack.disposeAsync(),
      };
    } catch (error) {
      await stack.disposeAsync();
      throw error;
    }
  };
}
