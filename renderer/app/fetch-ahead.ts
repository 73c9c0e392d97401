import { LANGUAGES } from "../../server/contract/pos/setup.ts";
import { fetchDialogs } from "../components/dialog/dialog.tsx";
import { LatePinField } from "../components/late-pin-field.ts";
import { fetchQrCodes } from "../components/qr-code.tsx";
import { fetchReceipts } from "../features/receipts/index.ts";
import { fetchDrawerDialog } from "../features/shift/components/drawer-dialog.tsx";
import { gatewayIsThere } from "../lib/gateway-is-there.ts";
import { addLanguage } from "../lib/i18n.ts";
import {
  LateDisplayDialog,
  LateKeysDialog,
  LateLeftBasketScreen,
  LateNoShift,
  LatePrintingScreen,
  LateSellersPalette,
  LateShiftScreen,
  LateTodayScreen,
} from "./late-parts.ts";
import { fetchReports } from "./printing.ts";

/** Between two tries of a script that could not be fetched. */
const AGAIN_MS = 10_000;

/**
 * What a till shows sooner or later without asking the gateway for anything else, the likeliest first. It
 * is not fetched for a first screen, and is there before a key asks for it or the gateway goes away.
 */
const AHEAD: readonly (() => Promise<unknown>)[] = [
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

/** Fetches it piece by piece, each when the page has nothing else to do. */
export async function fetchAhead(): Promise<void> {
  for (const load of AHEAD) {
    await nothingToDo();
    await gatewayIsThere();
    while (!(await load().then(wasFetched, () => false))) {
      await new Promise((again) => setTimeout(again, AGAIN_MS));
    }
  }
}

/** Words that could not be fetched answer false. */
function wasFetched(answer: unknown): boolean {
  return answer !== false;
}

function nothingToDo(): Promise<unknown> {
  return new Promise((resolve) => {
    if ("requestIdleCallback" in globalThis) requestIdleCallback(resolve);
    else setTimeout(resolve, 200);
  });
}
