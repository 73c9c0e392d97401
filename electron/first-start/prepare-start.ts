import { existsSync, readdirSync } from "node:fs";
import { databaseExists, type GatewayConfig } from "../../server/index.ts";
import type { ElectronMain } from "../electron-main.ts";
import { choosePort } from "./choose-port.ts";
import { offerAdoption } from "./offer-adoption.ts";

/**
 * What comes before the gateway: at a first start a shop may be taken over, and the till's port is chosen.
 * @returns undefined where the person ends the program
 */
export async function prepareStart(
  electron: Pick<ElectronMain, "app" | "dialog">,
  config: GatewayConfig,
): Promise<GatewayConfig | undefined> {
  const { dataDir, host, port: usual } = config;
  const hasShop = databaseExists(dataDir);
  if (!hasShop && hasNothing(dataDir)) await offerAdoption(electron, dataDir);
  const port = await choosePort(electron, { dataDir, host, usual, hasShop });
  return port === undefined ? undefined : { ...config, port };
}

/** Remains of a shop are for the gateway to refuse, with what to do. */
function hasNothing(dataDir: string): boolean {
  if (!existsSync(dataDir)) return true;
  return !readdirSync(dataDir).some((name) => name.startsWith("tillgate.db") || name === "backups");
}
