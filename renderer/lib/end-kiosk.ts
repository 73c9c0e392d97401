import type { DesktopSettings } from "../../electron/ipc/ipc-map.ts";
import { ApiError } from "./api-client.ts";
import { sendWithOwnPin } from "./own-pin.ts";

/**
 * Ends kiosk mode with the signed-in owner's PIN, which the screen asks for.
 * @param quits also quits the program
 * @throws the refusal if no PIN is typed
 */
export async function endKiosk(quits: boolean): Promise<DesktopSettings | null> {
  const shell = globalThis.window.tillgate;
  if (!shell) {
    return null;
  }
  const refusal = new ApiError(403, "PIN_REQUIRED", "Type your own PIN to do this.", {});
  const settings = await sendWithOwnPin(async (pin) => {
    const ended = await shell.endKiosk({ pin, quits });
    if ("refusal" in ended) {
      const { status, body } = ended.refusal;
      throw new ApiError(status, body.errorCode, body.message, body.fields);
    }
    return ended.settings;
  }, refusal);
  return settings as DesktopSettings;
}
