import type { BrowserWindow, MessageBoxOptions } from "electron/main";
import type { UnderWay } from "../../server/index.ts";
import { fill } from "../desktop/desktop-words.ts";
import type { ElectronMain } from "../electron-main.ts";
import type { HostedGateway } from "../gateway-host.ts";
import type { UpdateWatch } from "../updates/watch-updates.ts";
import { LEAVE_WORDS, type LeaveWords } from "./leave-words.ts";

const MAX_NAMED_LINES = 5;
const LEAVE = 1;

/**
 * Keeps the till open while a sale is being sent. Asks for confirmation if a sale waits for its
 * provider, a shift is open, or a purchase by API key is unfinished, because these may last a day.
 */
export function guardLeaving(
  { dialog }: Pick<ElectronMain, "dialog">,
  window: BrowserWindow,
  gateway: Pick<HostedGateway, "listUnfinished" | "noteLeaving" | "noteStaying">,
  updates: Pick<UpdateWatch, "endsForUpdate" | "stays">,
): void {
  let state: "open" | "asking" | "leaving" = "open";
  let words = LEAVE_WORDS.en;
  window.on("close", (event) => {
    // If `defaultPrevented` is set, kiosk mode keeps the window open.
    if (state === "leaving" || event.defaultPrevented) {
      return;
    }
    event.preventDefault();
    if (state === "asking") {
      return;
    }
    state = "asking";
    void ask().then(async (leaves) => {
      if (leaves) {
        await gateway.noteLeaving(window.webContents);
      }
      state = leaves ? "leaving" : "open";
      if (leaves) window.close();
      else updates.stays();
    });
  });
  window.webContents.on("will-prevent-unload", (event) => {
    const answer = dialog.showMessageBoxSync(
      window,
      question(words, words.unsentTitle, words.unsentNext),
    );
    if (answer === LEAVE) {
      event.preventDefault();
    } else {
      state = "open";
      gateway.noteStaying();
      updates.stays();
    }
  });

  async function ask(): Promise<boolean> {
    // A gateway that does not respond must not prevent switching the machine off.
    const found = await gateway.listUnfinished().catch(() => undefined);
    if (found === undefined) {
      return true;
    }
    words = LEAVE_WORDS[found.language];
    // Does not ask about purchases during an update, when nobody may be present.
    const purchases = updates.endsForUpdate ? 0 : found.purchases;
    const options = optionsFor({ ...found, purchases }, words);
    if (options === undefined) {
      return true;
    }
    const { response } = await dialog.showMessageBox(window, options);
    return options.cancelId === 0 && response === LEAVE;
  }
}

function optionsFor(
  { lines, openShifts, purchases, language }: UnderWay,
  words: LeaveWords,
): MessageBoxOptions | undefined {
  const bought = purchases > 0 ? `\n${fill(words.purchases, { number: purchases })}` : "";
  if (lines.some(({ outcome }) => outcome === "SENDING")) {
    return {
      type: "warning",
      message: words.sendingTitle,
      detail: `${describeLines(lines)}${bought}\n\n${words.sendingNext}`,
      buttons: [words.ok],
    };
  }
  if (lines.length > 0) {
    const detail = `${describeLines(lines)}${bought}\n\n${words.waitingNext}`;
    return question(words, words.waitingTitle, detail);
  }
  if (openShifts.length > 0) {
    const names = new Intl.ListFormat(language).format(openShifts.map(({ staff }) => staff.name));
    return question(words, words.shiftTitle, `${names}${bought}\n\n${words.shiftNext}`);
  }
  if (purchases > 0) {
    return question(words, words.purchasesTitle, `${bought.trim()}\n\n${words.waitingNext}`);
  }
  return undefined;
}

function describeLines(lines: UnderWay["lines"]): string {
  const named = lines
    .slice(0, MAX_NAMED_LINES)
    .map(({ saleNumber, brandName, recipient }) => `${saleNumber} · ${brandName} ${recipient}`);
  const more = lines.length - named.length;
  return (more > 0 ? [...named, `+ ${more}`] : named).join("\n");
}

function question(words: LeaveWords, message: string, detail: string): MessageBoxOptions {
  return {
    type: "question",
    message,
    detail,
    buttons: [words.stay, words.leave],
    defaultId: 0,
    cancelId: 0,
  };
}
