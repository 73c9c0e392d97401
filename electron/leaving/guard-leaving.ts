import type { BrowserWindow, MessageBoxOptions } from "electron/main";
import type { Unfinished } from "../../server/contract/pos/shifts.ts";
import type { ElectronMain } from "../electron-main.ts";
import type { HostedGateway } from "../gateway-host.ts";
import { LEAVE_WORDS, type LeaveWords } from "./leave-words.ts";

/** The most that a question names; the others are counted. */
const NAMED_LINES = 5;
const LEAVE = 1;

/**
 * Keeps the till's window open, and with it the app, while a sale is being sent, and asks first
 * while one waits for its provider or a shift is open: a queued sale may wait for a day, and must
 * not lock the machine for it. Nothing is lost by leaving: what was paid goes on at the next start.
 * @param onStay called where the window stays open
 */
export function guardLeaving(
  { dialog }: Pick<ElectronMain, "dialog">,
  window: BrowserWindow,
  gateway: Pick<HostedGateway, "listUnfinished" | "noteLeaving" | "noteStaying">,
  onStay: () => void = () => {},
): void {
  let state: "open" | "asking" | "leaving" = "open";
  let words = LEAVE_WORDS.en;
  window.on("close", (event) => {
    // Kiosk mode has kept it open: nothing is asked, and nothing is noted.
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
      else onStay();
    });
  });
  // The page holds a sale that the gateway has not answered.
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
      onStay();
    }
  });

  async function ask(): Promise<boolean> {
    // A gateway that does not answer must not keep the machine from being switched off.
    const found = await gateway.listUnfinished().catch(() => undefined);
    if (found === undefined) {
      return true;
    }
    words = LEAVE_WORDS[found.language];
    const options = optionsFor(found, words, found.language);
    if (options === undefined) {
      return true;
    }
    const { response } = await dialog.showMessageBox(window, options);
    return options.cancelId === 0 && response === LEAVE;
  }
}

/** The question to ask; undefined when nothing should block leaving. */
function optionsFor(
  { lines, openShifts }: Unfinished,
  words: LeaveWords,
  language: string,
): MessageBoxOptions | undefined {
  if (lines.some(({ outcome }) => outcome === "SENDING")) {
    return {
      type: "warning",
      message: words.sendingTitle,
      detail: `${describeLines(lines)}\n\n${words.sendingNext}`,
      buttons: [words.ok],
    };
  }
  if (lines.length > 0) {
    return question(words, words.waitingTitle, `${describeLines(lines)}\n\n${words.waitingNext}`);
  }
  if (openShifts.length > 0) {
    const names = new Intl.ListFormat(language).format(openShifts.map(({ staff }) => staff.name));
    return question(words, words.shiftTitle, `${names}\n\n${words.shiftNext}`);
  }
  return undefined;
}

function describeLines(lines: Unfinished["lines"]): string {
  const named = lines
    .slice(0, NAMED_LINES)
    .map(({ saleNumber, brandName, recipient }) => `${saleNumber} · ${brandName} ${recipient}`);
  const more = lines.length - named.length;
  return (more > 0 ? [...named, `+ ${more}`] : named).join("\n");
}

/** Enter and Escape choose to stay. */
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
