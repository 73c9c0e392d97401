import { randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";

/** Names as releases have them: of a file in the folder itself. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9._+-]*$/;

/**
 * Serves the files of a folder, of a disk or of the shop's network, to this very program: the updater reads
 * web servers alone. Its address holds a secret, so that no other program of the machine reads the folder.
 */
export async function serveFolder(folder: string): Promise<{ url: string; server: Server }> {
  const secret = `/${randomUUID()}/`;
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? "/", "http://feed").pathname;
    const name = path.startsWith(secret) ? path.slice(secret.length) : "";
    if (!NAME.test(name)) {
      response.writeHead(404).end();
      return;
    }
    const file = join(folder, name);
    stat(file).then(
      ({ size }) => {
        response.writeHead(200, { "content-length": size });
        createReadStream(file)
          .on("error", () => response.destroy())
          .pipe(response);
      },
      () => response.writeHead(404).end(),
    );
  });
  server.unref();
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}${secret}`, server };
}
