/** A shop whose till is open to its network, and devices of that network. */
import { X509Certificate } from "node:crypto";
import { request } from "node:https";
import { createServer } from "node:net";
import { connect } from "node:tls";
import { type Browser, type BrowserContext, expect, type Page } from "@playwright/test";
import { startShop } from "./shop-process.ts";

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === "string") throw new Error("no port");
  return address.port;
}

/** A gateway that listens for tills, on a copy of a shop's data. */
export async function startNetworkShop(template: string) {
  const port = await freePort();
  const shop = await startShop(template, { TILLGATE_TILL_LISTEN: `127.0.0.1:${port}` });
  return { shop, tillPort: port, tillUrl: `https://127.0.0.1:${port}` };
}

/**
 * A browser of its own, as on another device. It is made to go past the warning, so that what answers is
 * checked here: it has to be vouched for by the authority whose SHA-256 the owner's page shows.
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

/** The authority that the tills' port names, after it has vouched for the certificate served there. */
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
