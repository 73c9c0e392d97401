import { createHash, generateKeyPairSync } from "node:crypto";
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer, request as requestHttp } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { ElectronHttpExecutor } from "electron-updater/out/electronHttpExecutor.js";
import { signFeed } from "../../server/index.ts";

const RESOURCES = join(import.meta.dirname, "../../resources");

/** Web server that offers signed versions of the desktop program. */
export class ReleaseFeed {
  readonly url: string;
  readonly #keys = generateKeyPairSync("ed25519");
  readonly #files: Map<string, Buffer>;
  /** Requested file names. */
  readonly asked: string[];
  readonly close: () => Promise<void>;

  private constructor(
    parts: Pick<ReleaseFeed, "url" | "asked" | "close">,
    files: Map<string, Buffer>,
  ) {
    this.url = parts.url;
    this.asked = parts.asked;
    this.close = parts.close;
    this.#files = files;
  }

  static async start(): Promise<ReleaseFeed> {
    const files = new Map<string, Buffer>();
    const asked: string[] = [];
    const server = createServer((request, response) => {
      const name = (request.url ?? "/").split("?")[0]?.slice(1) ?? "";
      asked.push(name);
      const body = files.get(name);
      response.writeHead(body ? 200 : 404).end(body);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const close = () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    return new ReleaseFeed({ url: `http://127.0.0.1:${port}/`, asked, close }, files);
  }

  get files(): Map<string, Buffer> {
    return this.#files;
  }

  publish(
    version: string,
    program: string,
    more: Record<string, string | number> = {},
    name = `Tillgate-${version}.AppImage`,
  ): void {
    const body = Buffer.from(program);
    const sha512 = createHash("sha512").update(body).digest("base64");
    const release = {
      version,
      files: [{ url: name, sha512, size: body.length }],
      path: name,
      sha512,
      releaseDate: "2026-01-15T09:30:00.000Z",
      expires: "2099-01-01T00:00:00.000Z",
      ...more,
    };
    this.#files.set(name, body);
    // JSON is valid YAML. Each system requests a different file name.
    const yml = Buffer.from(JSON.stringify(release));
    for (const system of ["latest", "latest-linux", "latest-linux-arm64", "latest-mac"]) {
      this.#files.set(`${system}.yml`, yml);
      this.#files.set(`${system}.yml.sig`, Buffer.from(signFeed(yml, this.#keys.privateKey)));
    }
  }

  makeResources(dir: string): string {
    mkdirSync(dir);
    for (const name of readdirSync(RESOURCES)) symlinkSync(join(RESOURCES, name), join(dir, name));
    const pem = this.#keys.publicKey.export({ type: "spki", format: "pem" });
    writeFileSync(join(dir, "update-feed-key.pem"), pem);
    return dir;
  }
}

export function createNodeExecutor(): unknown {
  return Object.assign(new ElectronHttpExecutor(), { createRequest: requestHttp });
}
