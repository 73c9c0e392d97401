import { afterEach, describe, expect, it } from "vitest";
import { createTestKeys } from "../testing/first-day.ts";
import { type NetworkShop, openNetworkShop } from "../testing/network-shop.ts";
import { createProxyTrust } from "./addresses.ts";

const OWNER = { accountId: "default", staffId: undefined };
const PROXY = "127.0.0.5";

let shop: NetworkShop;

async function guess(code: string, forwarded: string, from = PROXY): Promise<number> {
  const headers = { "x-forwarded-for": forwarded };
  const asked = { method: "POST", form: `code=${code}`, headers, from };
  return (await shop.ask("/enrol", asked)).status;
}

describe("a gateway behind a trusted load balancer", () => {
  afterEach(() => shop.close());

  it("counts guesses per device, and lists each device with its own address", async () => {
    shop = await openNetworkShop([PROXY]);
    for (let n = 0; n < 10; n++) expect(await guess("AAAAAAAAAA", "203.0.113.7")).toBe(404);
    const { code } = await shop.gateway.context.devices.makeCode(OWNER, "Tablet");
    expect(await guess(code, "203.0.113.7")).toBe(429);
    // The client invented the first address; the balancer added the second.
    expect(await guess(code, "198.51.100.1, 203.0.113.7")).toBe(429);
    expect(await guess(code, "203.0.113.8")).toBe(303);
    const [device] = await shop.gateway.context.devices.list();
    expect(device).toMatchObject({ name: "Tablet", address: "203.0.113.8" });
  });

  it("ignores forwarded headers from other senders, and follows a chain of trusted proxies", async () => {
    shop = await openNetworkShop([PROXY, "10.0.8.0/24"]);
    const wrong = "AAAAAAAAAA";
    for (let n = 0; n < 10; n++) expect(await guess(wrong, `10.1.0.${n}`, "127.0.0.6")).toBe(404);
    expect(await guess(wrong, "10.1.0.99", "127.0.0.6")).toBe(429);
    for (let n = 0; n < 10; n++) expect(await guess(wrong, "203.0.113.7, 10.0.8.4")).toBe(404);
    expect(await guess(wrong, "203.0.113.7, 10.0.8.5")).toBe(429);
  });

  it("uses the forwarded protocol in links, but not the forwarded host", async () => {
    shop = await openNetworkShop(["127.0.0.1"]);
    const { test: key } = await createTestKeys(shop.gateway);
    const headers = {
      authorization: `Bearer ${key}`,
      "x-forwarded-for": "203.0.113.7",
      "x-forwarded-proto": "https",
      "x-forwarded-host": "elsewhere.example",
    };
    const answer = await fetch(`${shop.url}/v1/brands/ESKOM`, { headers });
    const text = await answer.text();
    expect(text).toContain(`https://${new URL(shop.url).host}/`);
    expect(text).not.toContain("elsewhere.example");
  });
});

describe("the proxy check", () => {
  it("accepts a listed address and the addresses of a listed network, also as IPv6", () => {
    const isProxy = createProxyTrust(["10.0.8.1", "10.0.9.0/24", "2001:db8::/32"]);
    const trusted = ["10.0.8.1", "::ffff:10.0.8.1", "10.0.9.200", "2001:db8:1::9"];
    const others = ["10.0.8.2", "10.0.10.1", "2001:db9::1", "127.0.0.1", "unknown", ""];
    expect(trusted.filter((address) => !isProxy(address))).toEqual([]);
    expect(others.filter(isProxy)).toEqual([]);
  });
});
