import { runScreenCommand } from "./screen-commands.ts";
import { useScreenKeys } from "./use-screen-keys.ts";

/** Alt+G on a screen without a table of keys of its own. */
export function useCustomerRefundKey(): void {
  useScreenKeys((event) => {
    const isAlt = event.altKey && !event.ctrlKey && !event.metaKey;
    if (isAlt && !event.repeat && event.code === "KeyG") {
      event.preventDefault();
      runScreenCommand("customer-refund");
    }
  });
}
