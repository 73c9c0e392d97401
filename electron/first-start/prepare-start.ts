import { once } from "node:events";
import { existsSync, readdirSync } from "node:fs";
import { createServer } from "node:net";
import { dirname } from "node:path";
import {
  copyShop,
  databaseExists,
  type FoundShop,
  type GatewayConfig,
  lookAtShop,
  Problem,
} from "../../server/index.ts";
import { DESKTOP_WORDS, type DesktopWords, fill, languageOf } from "../desktop/desktop-words.ts";
import type { ElectronMain } from "../electron-main.ts";
import { keepPort, readKeptPort } from "./kept-port.ts";

const MAX_TRIED_PORTS = 20;
const ANSWER_TIMEOUT_MS = 2000;

const TAKE_OVER = 1;
const COPY = 1;

/**
 * Offers to copy an existing shop at a first start, and chooses the till's port. Runs before the
 * gateway opens.
 * @returns undefined if the person ends the program
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

/**
 * Returns whether the folder contains no part of a shop. The gateway would refuse an incomplete
 * shop.
 */
function hasNothing(dataDir: string): boolean {
  if (!existsSync(dataDir)) return true;
  return !readdirSync(dataDir).some((name) => name.startsWith("tillgate.db") || name === "backups");
}

/**
 * If there is no shop, offers to copy the shop of another Tillgate. The first button always creates
 * a new shop. The shop in a chosen folder is described before it is copied.
 */
async function offerAdoption(
  { app, dialog }: Pick<ElectronMain, "app" | "dialog">,
  dataDir: string,
): Promise<void> {
  const language = languageOf(app.getLocale());
  const words = DESKTOP_WORDS[language];
  for (;;) {
    const { response } = await dialog.showMessageBox({
      type: "question",
      message: words.firstTitle,
      detail: words.firstBody,
      buttons: [words.beginNew, words.takeOver],
      defaultId: 0,
      cancelId: 0,
    });
    if (response !== TAKE_OVER) return;
    const { canceled, filePaths } = await dialog.showOpenDialog({
      properties: ["openDirectory", "showHiddenFiles"],
    });
    const [from] = filePaths;
    if (canceled || from === undefined || from === dataDir) continue;
    try {
      const found = await lookAtShop(from, dataDir);
      const chosen = await dialog.showMessageBox({
        type: "question",
        message: fill(words.foundTitle, { shop: found.shopName ?? dirname(from) }),
        detail: describe(found, { words, language, from }),
        buttons: [words.notThis, words.copyIt],
        defaultId: 0,
        cancelId: 0,
      });
      if (chosen.response !== COPY) continue;
      await copyShop(from, dataDir);
      return;
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      await dialog.showMessageBox({
        type: "error",
        message: words.notCopied,
        detail: error.message,
        buttons: ["OK"],
      });
    }
  }
}

interface Telling {
  readonly words: DesktopWords;
  readonly language: string;
  readonly from: string;
}

function describe({ sales, newestSale }: FoundShop, { words, language, from }: Telling): string {
  if (newestSale === undefined) return fill(words.foundNoSale, { from });
  const { format } = new Intl.DateTimeFormat(language, { dateStyle: "long", timeStyle: "short" });
  const last = format(new Date(newestSale.createdAt));
  return fill(words.foundBody, { from, last, sales: sales.toLocaleString(language) });
}

interface PortOf {
  readonly dataDir: string;
  readonly host: string;
  /** Default port, used if no port is stored. */
  readonly usual: number;
  /** True if there is a database. Its page may have used the default port. */
  readonly hasShop: boolean;
}

/**
 * Chooses the port of a desktop till, and stores it with the shop's data. If the port is in use, a
 * first start takes the next free port and tells the person. A later start changes the port only if
 * the page stores no sale and a person agrees (decision 0064).
 * @returns undefined if the person ends the program
 */
async function choosePort(
  electron: Pick<ElectronMain, "app" | "dialog">,
  { dataDir, host, usual, hasShop }: PortOf,
): Promise<number | undefined> {
  const kept = readKeptPort(dataDir) ?? { port: usual, unsent: hasShop ? "perhaps" : "none" };
  const isFirst = !hasShop && readKeptPort(dataDir) === undefined;
  for (;;) {
    const isOwn = await isFree(host, kept.port);
    const next = isOwn ? kept.port : await nextFree(host, kept.port);
    const port =
      isOwn || isFirst
        ? next
        : await askAbout(electron, { host, port: kept.port, next, unsent: kept.unsent });
    if (port === "again") continue;
    if (port === undefined) return undefined;
    // Until the program ends normally, the page may store a sale.
    keepPort(dataDir, { port, unsent: "perhaps" });
    if (isFirst && port !== kept.port) await sayTaken(electron, kept.port, port);
    return port;
  }
}

interface TakenPort {
  readonly host: string;
  readonly port: number;
  readonly next: number | undefined;
  readonly unsent: "none" | "perhaps";
}

async function askAbout(
  { app, dialog }: Pick<ElectronMain, "app" | "dialog">,
  { host, port, next, unsent }: TakenPort,
): Promise<number | "again" | undefined> {
  const words = DESKTOP_WORDS[languageOf(app.getLocale())];
  const name = await findTillgate(host, port);
  const holder = name === undefined ? words.heldByOther : fill(words.heldByTillgate, { name });
  const mayMove = unsent === "none" && next !== undefined;
  const values = { port, next: next ?? "" };
  const { response } = await dialog.showMessageBox({
    type: "warning",
    message: fill(words.portTitle, values),
    detail: `${holder}\n\n${fill(mayMove ? words.portMove : words.portUnsent, values)}`,
    buttons: [words.again, words.leave, ...(mayMove ? [fill(words.usePort, values)] : [])],
    defaultId: 0,
    cancelId: 1,
  });
  if (response === 0) return "again";
  return response === 2 && mayMove ? next : undefined;
}

async function sayTaken(
  { app, dialog }: Pick<ElectronMain, "app" | "dialog">,
  port: number,
  next: number,
): Promise<void> {
  const words = DESKTOP_WORDS[languageOf(app.getLocale())];
  await dialog.showMessageBox({
    type: "info",
    message: fill(words.portTaken, { port, next }),
    buttons: ["OK"],
  });
}

async function isFree(host: string, port: number): Promise<boolean> {
  const server = createServer();
  try {
    server.listen({ host, port, exclusive: true });
    await once(server, "listening");
    return true;
  } catch {
    return false;
  } finally {
    server.close();
  }
}

async function nextFree(host: string, after: number): Promise<number | undefined> {
  for (let port = after + 1; port <= after + MAX_TRIED_PORTS; port++) {
    if (await isFree(host, port)) return port;
  }
  return undefined;
}

/** Returns the name of the shop whose Tillgate uses a port; undefined if no Tillgate responds. */
async function findTillgate(host: string, port: number): Promise<string | undefined> {
  try {
    const answer = await fetch(`http://${host}:${port}/pos/status`, {
      signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
      redirect: "error",
    });
    const status = (await answer.json()) as { setUp?: unknown; shopName?: unknown };
    if (typeof status.setUp !== "boolean") return undefined;
    return typeof status.shopName === "string" ? status.shopName.slice(0, 80) : "Tillgate";
  } catch {
    return undefined;
  }
}
