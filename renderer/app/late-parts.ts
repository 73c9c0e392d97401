import { AwaitedScreen } from "../components/awaited-screen.tsx";
import { late } from "../lib/late.tsx";

/** Parts of the page other than the counter. Each loads ahead of its use, or at its first use. */

/** The first screen is the person's PIN, so the counter's scripts load while it is typed. */
export const LateCounterScreen = late(
  async () => (await import("../features/counter/shell/counter-screen.tsx")).CounterScreen,
  AwaitedScreen,
);
export const LateTodayScreen = late(
  async () => (await import("../features/today/components/today-screen.tsx")).TodayScreen,
  AwaitedScreen,
);
export const LateShiftScreen = late(
  async () => (await import("../features/shift/components/shift-screen.tsx")).ShiftScreen,
  AwaitedScreen,
);
export const LateNoShift = late(
  async () => (await import("../features/shift/components/no-shift.tsx")).NoShift,
  AwaitedScreen,
);
export const LatePrintingScreen = late(
  async () => (await import("../features/receipts/components/printing-screen.tsx")).PrintingScreen,
  AwaitedScreen,
);
export const LateOfficePage = late(
  async () => (await import("./office/office-page.tsx")).OfficePage,
  AwaitedScreen,
);
export const LateLeftBasketScreen = late(
  async () =>
    (await import("../features/counter/sale/left/left-basket-screen.tsx")).LeftBasketScreen,
  AwaitedScreen,
);
export const LateSetupScreen = late(
  async () => (await import("../features/setup/components/setup-screen.tsx")).SetupScreen,
);
export const LateCustomerDisplay = late(
  async () => (await import("../features/display/components/customer-display.tsx")).CustomerDisplay,
);
export const LateOwnPin = late(
  async () => (await import("../features/session/components/own-pin-dialog.tsx")).OwnPin,
);
export const LateChangePinDialog = late(
  async () => (await import("../features/session/components/choose-pin.tsx")).ChangePinDialog,
);
export const LateKeysDialog = late(async () => (await import("./keys-dialog.tsx")).KeysDialog);
export const LateSellersPalette = late(
  async () => (await import("./sellers-palette.tsx")).SellersPalette,
);
