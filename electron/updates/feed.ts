import type { KeyObject } from "node:crypto";
import { readFileSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { StartupError } from "../../server/index.ts";

/** Address of the available versions, and the key that authenticates them. */
export interface Feed {
  readonly place: string;
  readonly key: KeyObject | undefined;
}

/**
 * Requires an https address or a signature, because the feed determines the code that this machine
 * runs.
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
    "TILLGATE_UPDATES must be an https address: this program was built without the key that authenticates a feed in a folder or at an http address.",
  );
}

export function readBuiltInFeed(resourcesPath: string | undefined): string | undefined {
  if (resourcesPath === undefined) return undefined;
  try {
    const text = readFileSync(join(resourcesPath, "app-update.yml"), "utf8");
    return /^url: *['"]?([^'"\s]+)/m.exec(text)?.[1];
  } catch {
    return undefined;
  }
}
