import type { IpcMainInvokeEvent, WebContents } from "electron/main";
import type { ElectronMain } from "../electron-main.ts";
import { isTrusted, type Trust } from "../windows/lockdown.ts";
import { argumentChecks, IpcRefusedError } from "./ipc-arguments.ts";
import type { Channel, IpcMap } from "./ipc-map.ts";

export type IpcHandlers = {
  readonly [C in Channel]: (
    contents: WebContents,
    ...args: IpcMap[C]["args"]
  ) => Promise<IpcMap[C]["result"]>;
};

export function handleIpc(
  electron: Pick<ElectronMain, "ipcMain">,
  trust: Trust,
  handlers: IpcHandlers,
): void {
  function answer<C extends Channel>(channel: C): void {
    electron.ipcMain.handle(channel, async (event, ...args: unknown[]) => {
      refuseForeignFrame(event, trust);
      const checked: IpcMap[C]["args"] = argumentChecks[channel](args);
      return await handlers[channel](event.sender, ...checked);
    });
  }
  for (const channel of Object.keys(handlers) as Channel[]) answer(channel);
}

/** Refuses other frames. `senderFrame` is null if the frame has navigated away. */
function refuseForeignFrame({ senderFrame }: IpcMainInvokeEvent, trust: Trust): void {
  if (senderFrame === null || senderFrame.parent !== null || !isTrusted(senderFrame.url, trust)) {
    throw new IpcRefusedError("Only the till may ask this.");
  }
}
