import { addModules } from "./all-modules.ts";
import { type Host, type Overrides, openBase } from "./base.ts";
import type { GatewayConfig } from "./config/config.ts";
import { ModuleSet } from "./module-set.ts";

/** Every object of a gateway, made once. */
export type Context = Awaited<ReturnType<typeof createContext>>;

/**
 * Opens the database and makes every module (`all-modules.ts`). Nothing runs yet.
 * `dispose` closes everything, the last first; a start that fails does so by itself.
 * @throws StartupError when the data directory cannot be used.
 */
export async function createContext(
  config: GatewayConfig,
  overrides: Overrides = {},
  host: Host = { isGateway: false },
) {
  const stack = new AsyncDisposableStack();
  try {
    const base = await openBase(config, overrides, host, stack);
    const modules = new ModuleSet(base.jobs, stack);
    const services = await addModules(base, overrides, modules);
    modules.seal();
    const dispose = () => stack.disposeAsync();
    return { ...base, ...services, modules, start: () => modules.start(), dispose };
  } catch (error) {
    await stack.disposeAsync();
    throw error;
  }
}
