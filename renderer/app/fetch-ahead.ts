import { LANGUAGES } from "../../server/contract/pos/setup.ts";
import { fetchDialogs } from "../components/dialog/dialog.tsx";
import { LatePinField } from "../components/late-pin-field.ts";
import { fetchQrCodes } from "../components/qr-code.tsx";
import { fetchReceipts } from "../features/receipts/index.ts";
import { fetchDrawerDialog } from "../features/shift/components/drawer-dialog.tsx";
import { gatewayIsThere } from "../lib/gateway-is-there.ts";
import { addLanguage } from "../lib/i18n.ts";
import { LateDisplayDialog } from "./customer-display.tsx";
import {
  LateCounterScreen,
  LateKeysDialog,
  LateLeftBasketScreen,
  LateNoShift,
  LatePrintingScreen,
  LateSellersPalette,
  LateShiftScreen,
  LateTodayScreen,
} from "./late-parts.ts";
import { fetchReports } from "./printing.ts";

const AGAIN_MS = 10_000;

/**
 * Parts of the page that a till will probably show, the likeliest first. They need no data, and
 * load after the first screen, in case the gateway becomes unreachable. The counter loads at once,
 * while the clerk types the PIN.
 */
const AHEAD: readonly (() => Promise<unknown>)[] = [
  LateCounterScreen.load,
  fetchDialogs,
  LateSellersPalette.load,
  LatePinField.load,
  LateTodayScreen.load,
  LateShiftScreen.load,
  fetchReceipts,
  fetchQrCodes,
  fetchDrawerDialog,
  ...LANGUAGES.map((language) => () => addLanguage(language)),
  fetchReports,
  LateLeftBasketScreen.load,
  LateKeysDialog.load,
  LateDisplayDialog.load,
  LatePrintingScreen.load,
  LateNoShift.load,
];

export async function fetchAhead(): Promise<void> {
  for (const load of AHEAD) {
    while (!(await load().then(wasFetched, () => false))) {
      await new Promise((again) => setTimeout(again, AGAIN_MS));
    }
    await nothingToDo();
    await gatewayIsThere();
  }
}

/** Returns whether a load succeeded. The load of a language returns false after a failure. */
function wasFetched(answer: unknown): boolean {
  return answer !== false;
}

function nothingToDo(): Promise<unknown> {
  return new Promise((resolve) => {
    if ("requestIdleCallback" in globalThis) requestIdleCallback(resolve);
    else setTimeout(resolve, 200);
  });
}
