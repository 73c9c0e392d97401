import { useScreenCommand } from "./screen-commands.ts";

/** Time in milliseconds within which a second press is ignored. */
const ONE_PRESS_MS = 1500;

let isJustGiven = false;

/**
 * Refunds by Alt+G. A quick second press does nothing: the first refund is booked, and the key
 * would apply to the next customer (rules#key-one-refund-a-press).
 */
export function useRefundByKey(give: () => void, enabled: boolean): void {
  useScreenCommand(
    "customer-refund",
    () => {
      if (!isJustGiven) {
        rememberPress();
        give();
      }
    },
    { enabled },
  );
}

function rememberPress(): void {
  isJustGiven = true;
  const listening = new AbortController();
  const { signal } = listening;
  const forget = () => {
    isJustGiven = false;
    listening.abort();
  };
  const timer = setTimeout(forget, ONE_PRESS_MS);
  signal.addEventListener("abort", () => clearTimeout(timer));
  document.addEventListener("pointerdown", forget, { signal });
  const onKey = ({ key, code }: KeyboardEvent) => {
    if (key !== "Alt" && code !== "KeyG") {
      forget();
    }
  };
  document.addEventListener("keydown", onKey, { signal, capture: true });
}
