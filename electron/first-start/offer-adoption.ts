import { dirname } from "node:path";
import { copyShop, type FoundShop, lookAtShop, Problem } from "../../server/index.ts";
import { DESKTOP_WORDS, type DesktopWords, fill, languageOf } from "../desktop/desktop-words.ts";
import type { ElectronMain } from "../electron-main.ts";

const TAKE_OVER = 1;
const COPY = 1;

/**
 * At a first start, with no shop in the data directory: offers to copy one from another Tillgate's. The first
 * button always begins a new shop; what a folder holds is said before it is copied.
 */
export async function offerAdoption(
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
