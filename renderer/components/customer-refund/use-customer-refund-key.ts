import { runScreenCommand } from "../../lib/screen-commands.ts";
import { useScreenKeys } from "../../lib/use-screen-keys.ts";

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
