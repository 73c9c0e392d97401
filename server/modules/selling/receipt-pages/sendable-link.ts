import type { SENDING_FAULTS } from "../../../contract/pos/receipt-pages.ts";
import type { Clock } from "../../../lib/clock.ts";
import type { FileSealer } from "../../../lib/sealer.ts";
import type { StoredLink } from "./link-store.ts";
import { hashOfToken, tokenOf } from "./link-token.ts";

interface SendableLinkDeps {
  clock: Clock;
  keyFile: Pick<FileSealer, "derive">;
}

/** Whether a link opens its page. */
export function isOpen({ revokedAt, expiresAt }: StoredLink, now: number): boolean {
  return revokedAt === undefined && now < expiresAt;
}

/**
 * What stands in a link that is to be shown or sent, or why it cannot be. With another key file than it was made
 * with, what follows from the key is an address that opens nothing.
 * @throws SealError when the key cannot be used
 */
export function readToken(
  link: StoredLink | undefined,
  { clock, keyFile }: SendableLinkDeps,
): { token: string } | { fault: keyof typeof SENDING_FAULTS } {
  if (!link || !isOpen(link, clock.now())) return { fault: "LINK_OVER" };
  const token = tokenOf(keyFile, link);
  return hashOfToken(token) === link.tokenHash ? { token } : { fault: "OTHER_KEY" };
}
