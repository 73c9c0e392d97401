import { buildApp } from "./app.ts";
import { type GatewayConfig, StartupError } from "./config/config.ts";
import { type Context, createContext, type Overrides } from "./context.ts";
import type { Language } from "./contract/pos/setup.ts";
import type { Unfinished } from "./contract/pos/shifts.ts";
import { lockDataDir } from "./db/database.ts";
import { describeStorageFault } from "./lib/storage-fault.ts";
import { finishRestore } from "./modules/backups/index.ts";

export { checkConfig, type GatewayConfig, StartupError } from "./config/config.ts";
export type { Log } from "./lib/log.ts";
export { DESKTOP_SEAL, SealError, type Sealer } from "./lib/sealer.ts";

/** A gateway: the whole of Tillgate but its window. */
export interface Gateway {
  /**
   * Listens and begins to work.
   * @throws StartupError when the port cannot be had.
   */
  listen(): Promise<{ url: string; host: string; port: number }>;
  /** Finishes or safely leaves what is under way, and closes the database. May be called twice. */
  close(): Promise<void>;
  /** What speaks against ending now, of every environment: a host asks before it quits. */
  listUnfinished(): Promise<Unfinished & { language: Language }>;
  /** For tests: the objects behind the doors. */
  readonly context: Context;
}

/**
 * Opens the gateway of a data directory, not listening yet.
 * @throws StartupError in words for people: directory unusable, another gateway has it …
 */
export async function createGateway(
  config: GatewayConfig,
  overrides: Overrides = {},
): Promise<Gateway> {
  const lock = takeLock(config.dataDir);
  let context: Context | undefined;
  try {
    await finishRestore(config.dataDir);
    context = await createContext(config, overrides, { isGateway: true });
    const app = await buildApp(context);
    const ctx = context;
    let closed: Promise<void> | undefined;

    async function close(): Promise<void> {
      ctx.events.stop();
      ctx.displays.stop();
      await app.close();
      await ctx.dispose();
      lock.release();
    }

    return {
      context: ctx,
      async listen() {
        try {
          await app.listen({ host: config.host, port: config.port });
        } catch (error) {
          throw new StartupError(portProblem(error, config));
        }
        await ctx.start();
        const address = app.server.address();
        const port = typeof address === "object" && address ? address.port : config.port;
        const name = config.host.includes(":") ? `[${config.host}]` : config.host;
        return { url: `http://${name}:${port}`, host: config.host, port };
      },
      async listUnfinished() {
        const shop = await ctx.shop.find(ctx.accountId);
        const unfinished = await ctx.shifts.listUnfinished(ctx.accountId);
        return { ...unfinished, language: shop?.language ?? "en" };
      },
      close() {
        closed ??= close();
        return closed;
      },
    };
  } catch (error) {
    await context?.dispose();
    lock.release();
    const fault = describeStorageFault(error);
    if (fault) throw new StartupError(`Tillgate cannot start on ${config.dataDir}: ${fault}.`);
    throw error;
  }
}

function takeLock(dataDir: string): { release(): void } {
  let lock: { release(): void } | undefined;
  try {
    lock = lockDataDir(dataDir);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartupError(`The data directory ${dataDir} cannot be used: ${reason}.`);
  }
  if (!lock) {
    throw new StartupError(`Another Tillgate is running on the data directory ${dataDir}.`);
  }
  return lock;
}

function portProblem(error: unknown, config: GatewayConfig): string {
  const code = (error as NodeJS.ErrnoException).code;
  const where = `${config.host}:${config.port}`;
  if (code === "EADDRINUSE") return `The port ${where} is in use. Choose another with --port.`;
  if (code === "EACCES") return `The port ${where} needs rights that this user does not have.`;
  if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND") {
    return `${config.host} is not an address of this machine.`;
  }
  return `The port ${where} cannot be opened: ${error instanceof Error ? error.message : code}.`;
}
