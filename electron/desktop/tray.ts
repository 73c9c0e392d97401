import type { MenuItemConstructorOptions, Tray } from "electron/main";
import type { Language } from "../../server/contract/pos/setup.ts";
import type { ElectronMain } from "../electron-main.ts";
import type { HostedGateway } from "../gateway-host.ts";
import { LEAVE_WORDS } from "../leaving/leave-words.ts";
import { DESKTOP_WORDS, fill } from "./desktop-words.ts";

interface TrayDeps {
  readonly gateway: Pick<HostedGateway, "listUnfinished">;
  readonly isUpdateReady: () => boolean;
  readonly onOpen: () => void;
  readonly onQuit: () => void;
  /** A picture's file. */
  readonly icon: string;
  /** The machine's, until the shop's is known. */
  readonly language: Language;
}

export interface GatewayTray {
  isOn(): boolean;
  set(isOn: boolean): void;
  /** Looks how the gateway does, and says so. */
  refresh(): Promise<void>;
}

/** How often the gateway is asked while the tray is shown: few rows, by an index. */
const LOOK_EVERY_MS = 15_000;

/** The gateway's state beside the machine's clock: running, what is under way, a new version, or why nothing is sold. */
export function gatewayTray(
  { Tray: SystemTray, Menu }: Pick<ElectronMain, "Tray" | "Menu">,
  { gateway, isUpdateReady, onOpen, onQuit, icon, language: first }: TrayDeps,
): GatewayTray {
  let tray: Tray | undefined;
  let timer: NodeJS.Timeout | undefined;
  let language = first;

  async function refresh(): Promise<void> {
    const lines = await describeState();
    if (tray === undefined) return;
    const words = DESKTOP_WORDS[language];
    const state = lines.map((label): MenuItemConstructorOptions => ({ label, enabled: false }));
    tray.setToolTip(["Tillgate", ...lines].join("\n"));
    tray.setContextMenu(
      Menu.buildFromTemplate([
        ...state,
        { type: "separator" },
        { label: words.open, click: onOpen },
        { label: words.quit, click: onQuit },
      ]),
    );
  }

  async function describeState(): Promise<string[]> {
    try {
      const unfinished = await gateway.listUnfinished();
      language = unfinished.language;
      const words = DESKTOP_WORDS[language];
      const number = unfinished.lines.length;
      const { purchases } = unfinished;
      return [
        words.running,
        ...(number > 0 ? [fill(words.waiting, { number })] : []),
        ...(purchases > 0 ? [fill(LEAVE_WORDS[language].purchases, { number: purchases })] : []),
        ...(isUpdateReady() ? [words.updateReady] : []),
      ];
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      return [fill(DESKTOP_WORDS[language].stopped, { reason })];
    }
  }

  return {
    isOn: () => tray !== undefined,
    set(isOn) {
      if (isOn === (tray !== undefined)) return;
      if (!isOn) {
        clearInterval(timer);
        tray?.destroy();
        tray = undefined;
        return;
      }
      tray = new SystemTray(icon);
      tray.on("click", onOpen);
      timer = setInterval(() => void refresh(), LOOK_EVERY_MS).unref();
      void refresh();
    },
    refresh,
  };
}
