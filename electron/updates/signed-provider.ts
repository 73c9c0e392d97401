import type { KeyObject } from "node:crypto";
import type { UpdateInfo } from "electron-updater";
import { requireFresh, requireSigned, SIGNATURE_SUFFIX } from "../../server/index.ts";

/**
 * Reads a feed on a web server that is believed by its signature alone: the file that names versions and
 * checksums has one beside it, over its very bytes, and counts until it expires.
 */
export async function signedProvider(key: KeyObject, url: string) {
  const { GenericProvider } = await import("electron-updater/out/providers/GenericProvider.js");
  const { parseUpdateInfo } = await import("electron-updater/out/providers/Provider.js");
  const { getChannelFilename, newUrlFromBase } = await import("electron-updater/out/util.js");
  type Given = ConstructorParameters<typeof GenericProvider>;
  const base = new URL(url.endsWith("/") ? url : `${url}/`);

  return class SignedProvider extends GenericProvider {
    constructor(_config: unknown, updater: Given[1], runtime: Given[2]) {
      super({ provider: "generic", url }, updater, runtime);
    }

    override async getLatestVersion(): Promise<UpdateInfo> {
      const file = getChannelFilename(this.getDefaultChannelName());
      const address = newUrlFromBase(file, base);
      const text = (await this.httpRequest(address)) ?? "";
      const beside = newUrlFromBase(`${file}${SIGNATURE_SUFFIX}`, base);
      const signature = (await this.httpRequest(beside)) ?? "";
      requireSigned(Buffer.from(text), signature, key);
      const info: UpdateInfo & { expires?: string } = parseUpdateInfo(text, file, address);
      requireFresh(info.expires, { now: Date.now(), isSigned: true });
      return info;
    }
  };
}
