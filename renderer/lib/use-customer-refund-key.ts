import { isTypingText, shortcutOf } from "./key-edge.ts";
import { runScreenCommand } from "./screen-commands.ts";
import { useScreenKeys } from "./use-screen-keys.ts";

/** Handles Alt+G on a screen without its own table of keys. */
export function useCustomerRefundKey(): void {
  useScreenKeys((event) => {
    if (!event.repeat && shortcutOf(event) === "KeyG" && !isTypingText(event)) {
      event.preventDefault();
      runScreenCommand("customer-refund");
    }
  });
}
