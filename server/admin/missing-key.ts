import { sealKeyFile } from "../lib/sealer.ts";
import type { Unreadable } from "../modules/safety/backups/index.ts";
import { COMMAND_LINE } from "../program.ts";

/**
 * Warns about PINs and secrets that no key can open. The owner reads the warning before staff try
 * to sign in.
 */
export function describeMissingKey(dataDir: string, unreadable: Unreadable): string[] {
  const { pins, texts, ofKeyring, ownerId } = unreadable;
  const lines: string[] = [];
  if (pins + texts > 0) {
    lines.push(
      `MISSING: the key ${sealKeyFile(dataDir)} that ${pins} PINs of staff and ${texts} secrets of providers, webhooks and sales were encrypted with.`,
      "Put that file back from your copy of it before you start Tillgate.",
    );
  }
  if (pins > 0) {
    const who = ownerId ?? "STAFF_ID";
    lines.push(
      `Without it they cannot sign in: set a PIN with ${COMMAND_LINE} staff pin ${who} --pin - --data "${dataDir}"`,
    );
  }
  if (ofKeyring > 0) {
    lines.push(
      `${ofKeyring} secrets were encrypted by the desktop app with its user's keyring: only that app, as that user of that machine, opens them.`,
    );
  }
  return lines;
}
