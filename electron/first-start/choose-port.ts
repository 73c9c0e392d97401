import { DESKTOP_WORDS, fill, languageOf } from "../desktop/desktop-words.ts";
import type { ElectronMain } from "../electron-main.ts";
import { keepPort, readKeptPort } from "./kept-port.ts";
import { findTillgate, isFree, nextFree } from "./ports.ts";

interface PortOf {
  readonly dataDir: string;
  readonly host: string;
  /** What is tried first where none is kept. */
  readonly usual: number;
  /** A database is there: its page may have been used on the usual port. */
  readonly hasShop: boolean;
}

/**
 * Chooses the port of a desktop till, and keeps it with the shop's data from then on. A first start takes the next
 * free one, and says so. Later, where its own is taken, another is never taken in silence: only by a person's
 * choice, and only where the page keeps no sale (decision 0064).
 * @returns undefined where the person ends the program
 */
export async function choosePort(
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
    // Until the program ends in order, the page may keep a sale.
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
