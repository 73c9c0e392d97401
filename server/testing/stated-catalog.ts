import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { FAMILY_FACTS } from "../contract/pos/families.ts";
import { readSandboxCatalog } from "../modules/catalog/catalog/index.ts";

// biome-ignore lint/suspicious/noExplicitAny: a test states whatever it likes.
export type Stated = any;

/** A provider that returns the test's catalog, even a catalog that violates the contract. */
export interface StatingProvider {
  readonly url: string;
  balance: Stated;
  brands: Stated[];
  /** Offers by the path of a product family. For undefined, the provider responds 404. */
  offers: Record<string, Stated[] | undefined>;
  /**
   * Status of failing requests by path and query, such as
   * `/topups/offers?_limit=1024&_offset=1024`.
   */
  failing: Map<string, number>;
  readonly purchases: Stated[];
  close(): Promise<void>;
}

export async function startStatingProvider(): Promise<StatingProvider> {
  const server = createServer((request, response) => {
    void answer(request, response);
  });
  const provider: StatingProvider = {
    url: "",
    balance: { availableBalance: 500_000, currency: "USD", currencyDivisor: 100 },
    brands: [],
    offers: Object.fromEntries(Object.values(FAMILY_FACTS).map(({ path }) => [path, []])),
    failing: new Map(),
    purchases: [],
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const path = (request.url ?? "").replace(/^\/v1/, "");
    const reply = (status: number, body: Stated) => {
      response.writeHead(status, { "content-type": "application/json" });
      response.end(JSON.stringify(body));
    };
    const failure = provider.failing.get(path);
    if (failure !== undefined) return reply(failure, "unreadable");
    const url = new URL(path, "http://provider.example");
    if (request.method === "POST") {
      const body = JSON.parse(Buffer.concat(chunks).toString("utf8"));
      provider.purchases.push(body);
      return reply(200, { status: "ACCEPTED", transactionId: body.transactionId });
    }
    if (url.pathname === "/balance") return reply(200, provider.balance);
    const [section = "", kind] = url.pathname.slice(1).split("/");
    const lists = { ...provider.offers, brands: provider.brands, promos: [] };
    const list = (lists as Record<string, Stated[] | undefined>)[section];
    if (section === "brands" && kind) {
      return reply(
        200,
        provider.brands.find(({ brand }) => brand === decodeURIComponent(kind)),
      );
    }
    if (!list || (kind !== undefined && kind !== "offers")) return reply(404, NOT_FOUND);
    const limit = Number(url.searchParams.get("_limit"));
    const offset = Number(url.searchParams.get("_offset"));
    const items = list.slice(offset, offset + limit);
    return reply(200, { limit, offset, total: list.length, list: items });
  }
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  return Object.assign(provider, { url: `http://127.0.0.1:${port}` });
}

const NOT_FOUND = { errorCode: "NOT_FOUND", message: "There is no such thing.", fields: {} };

export async function readSampleOffers(): Promise<{
  offers: Record<string, Stated[]>;
  brands: Stated[];
}> {
  const catalog: Stated = await readSandboxCatalog(join(import.meta.dirname, "../../resources"));
  const offers: Record<string, Stated[]> = {};
  for (const { path } of Object.values(FAMILY_FACTS)) {
    const samples = ["FIXED", "RANGE"].flatMap(
      (type) => catalog[path].find((offer: Stated) => offer.priceType === type) ?? [],
    );
    offers[path] = structuredClone(samples);
  }
  const used = new Set(
    Object.values(offers)
      .flat()
      .map(({ brand }) => brand),
  );
  const brands = catalog.brands.filter((brand: Stated) => used.has(brand.brand));
  return { offers, brands: structuredClone(brands) };
}
