import { contextBridge, ipcRenderer } from "electron";
import { type Channel, type DesktopShell, type IpcMap, VERSION_ARGUMENT } from "../ipc/ipc-map.ts";

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
  updateState: () => invoke("update:state"),
  print: (options) => invoke("receipt:print", options),
};

contextBridge.exposeInMainWorld("tillgate", shell);
