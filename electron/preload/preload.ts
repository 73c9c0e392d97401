import { contextBridge, ipcRenderer } from "electron";
import {
  type Channel,
  type DesktopShell,
  type IpcMap,
  LINK_ARRIVED,
  QUIT_ASKED,
  VERSION_ARGUMENT,
} from "../ipc/ipc-map.ts";

function invoke<C extends Channel>(
  channel: C,
  ...args: IpcMap[C]["args"]
): Promise<IpcMap[C]["result"]> {
  return ipcRenderer.invoke(channel, ...args);
}

const shell: DesktopShell = {
  version:
    process.argv
      .find((argument) => argument.startsWith(VERSION_ARGUMENT))
      ?.slice(VERSION_ARGUMENT.length) ?? "",
  isThere: async () => {
    await invoke("page:there");
  },
  updateState: () => invoke("update:state"),
  desktopSettings: () => invoke("desktop:settings"),
  changeDesktop: (change) => invoke("desktop:change", change),
  endKiosk: (end) => invoke("kiosk:end", end),
  onQuitAsked(ask) {
    const listener = () => ask();
    ipcRenderer.on(QUIT_ASKED, listener);
    return () => ipcRenderer.removeListener(QUIT_ASKED, listener);
  },
  onLink(open) {
    const take = () =>
      void invoke("link:take").then((link) => {
        if (link !== null) open(link);
      });
    ipcRenderer.on(LINK_ARRIVED, take);
    take();
    return () => ipcRenderer.removeListener(LINK_ARRIVED, take);
  },
  printers: () => invoke("printer:list"),
  print: (options) => invoke("receipt:print", options),
};

contextBridge.exposeInMainWorld("tillgate", shell);
