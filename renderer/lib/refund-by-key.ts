import { useScreenCommand } from "./screen-commands.ts";

/** How long a second press is taken for the first one again. */
const ONE_PRESS_MS = 1500;

let isJustGiven = false;

/**
 * Alt+G gives back. Pressed again at once it gives nothing: what was just given back is no longer owed,
 * and the key is by then the next customer's (rules#key-one-refund-a-press).
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

/** Until a moment has passed, or something else was pressed. */
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
