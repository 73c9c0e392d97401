import type { KeyObject } from "node:crypto";
import { readFileSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { StartupError } from "../../server/index.ts";

/** Where versions come from, and what it is believed by. */
export interface Feed {
  /** An address, or a folder. */
  readonly place: string;
  /** What it says must be signed with this one's private half. */
  readonly key: KeyObject | undefined;
}

/**
 * Its operator decides what runs here: it is an https address, or what it says is signed.
 * @throws StartupError
 */
export function checkFeed(place: string | undefined, key: KeyObject | undefined): Feed | undefined {
  if (place === undefined) return undefined;
  const protocol = URL.parse(place)?.protocol;
  if (protocol === "https:") return { place, key };
  if (protocol !== "http:" && !isAbsolute(place)) {
    throw new StartupError("TILLGATE_UPDATES must be an https address.");
  }
  if (key) return { place, key };
  throw new StartupError(
    "TILLGATE_UPDATES must be an https address: this program was built without the key that a feed in a folder or at an http address is believed by.",
  );
}

/** The feed that the installer was made with; undefined where it was made without. */
export function readBuiltInFeed(resourcesPath: string | undefined): string | undefined {
  if (resourcesPath === undefined) return undefined;
  try {
    const text = readFileSync(join(resourcesPath, "app-update.yml"), "utf8");
    return /^url: *['"]?([^'"\s]+)/m.exec(text)?.[1];
  } catch {
    return undefined;
  }
}
