import { X509Certificate } from "node:crypto";
import { createServer as createProxy } from "node:http";
import { request } from "node:https";
import { type AddressInfo, connect as connectTo, createServer, type Socket } from "node:net";
import { connect } from "node:tls";
import { type Browser, type BrowserContext, expect, type Page } from "@playwright/test";
import { type ShopProcess, startShop } from "./shop-process.ts";

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === "string") throw new Error("no port");
  return address.port;
}

/**
 * Starts a gateway that listens for tills, on a copy of a shop's data.
 * @param env additional settings of the gateway
 */
export async function startNetworkShop(template: string, env: Record<string, string> = {}) {
  const port = await freePort();
  const listen = { TILLGATE_TILL_LISTEN: `127.0.0.1:${port}` };
  const shop = await startShop(template, { ...env, ...listen });
  return { shop, tillPort: port, tillUrl: `https://127.0.0.1:${port}` };
}

export async function letIn(page: Page, shop: ShopProcess, tillUrl: string): Promise<void> {
  const told = await shop.admin("devices", "code", "--name", "Till 2");
  const [code = ""] = /[A-Z2-9]{5}-[A-Z2-9]{5}/.exec(told) ?? [];
  await page.goto(`${tillUrl}/enrol#${code}`);
  await page.getByRole("button", { name: "Connect this device" }).click();
}

/** Starts a proxy that resolves every host name to one changeable address. */
export async function startNames(address: string) {
  const sockets = new Set<Socket>();
  let leadsTo = address;
  const proxy = createProxy();
  proxy.on("connect", ({ url = "" }, client: Socket) => {
    const upstream = connectTo({ host: leadsTo, port: Number(url.split(":").at(-1)) }, () => {
      client.write("HTTP/1.1 200 Connection established\r\n\r\n");
      client.pipe(upstream).pipe(client);
    });
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("close", () => sockets.delete(socket));
    }
    client.on("error", () => upstream.destroy()).on("close", () => upstream.destroy());
    upstream.on("error", () => client.destroy()).on("close", () => client.destroy());
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  const { port } = proxy.address() as AddressInfo;
  return {
    server: `http://127.0.0.1:${port}`,
    leadTo(changed: string) {
      leadsTo = changed;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => proxy.close(resolve));
    },
  };
}

/**
 * Opens a separate browser, as on another device. The browser accepts any certificate. The test
 * itself verifies the certificate with the authority whose SHA-256 the owner's page shows.
 */
export async function openDevice(
  browser: Browser,
  { tillPort, authority }: { tillPort: number; authority: string },
): Promise<{ context: BrowserContext; page: Page }> {
  const issuer = await readIssuer(tillPort);
  expect(issuer.fingerprint256).toBe(authority);
  const context = await browser.newContext({ ignoreHTTPSErrors: true, locale: "en-GB" });
  return { context, page: await context.newPage() };
}

/**
 * Fetches the tills' certificate authority from their port, and verifies the port's certificate
 * with it.
 */
async function readIssuer(port: number): Promise<X509Certificate> {
  const fetched = await fetchAuthority(port);
  const socket = connect({ host: "127.0.0.1", port, ca: fetched.toString() });
  await new Promise((resolve, reject) =>
    socket.once("secureConnect", resolve).once("error", reject),
  );
  expect(socket.authorized).toBe(true);
  socket.destroy();
  return fetched;
}

async function fetchAuthority(port: number): Promise<X509Certificate> {
  const bytes = await new Promise<Buffer>((resolve, reject) => {
    const path = "/authority.crt";
    request({ host: "127.0.0.1", port, path, rejectUnauthorized: false }, (answer) => {
      const parts: Buffer[] = [];
      answer.on("data", (part: Buffer) => parts.push(part));
      answer.once("end", () => resolve(Buffer.concat(parts)));
    })
      .once("error", reject)
      .end();
  });
  return new X509Certificate(bytes);
}
