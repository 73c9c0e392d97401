import { expect, it } from "vitest";
import { addressForAll, findReach } from "./page-settings.ts";

const readNames = () => ["localhost", "shop-pc", "shop-pc.local", "192.168.1.10"];
const config = { host: "127.0.0.1", tillListen: { port: 7444 } };
const OWN = { ...config, tls: { certFile: "c", keyFile: "k" } };

it.each([
  // The tills' port serves the shop's own certificate for every name.
  ["https://receipts.shop.example:7444", config, "NETWORK"],
  ["https://receipts.shop.example:7444", OWN, "PUBLIC"],
  ["https://receipts.shop.example", config, "PUBLIC"],
  ["https://receipts.shop.example", { ...config, tillListen: { port: 443 } }, "NETWORK"],
  // Public authorities issue no certificates for private addresses.
  ["https://shop-pc:7444", OWN, "NETWORK"],
  ["https://192.168.1.10:7444", OWN, "NETWORK"],
] as const)(
  "the address %s reaches the phones that trust its certificate",
  (publicUrl, given, reach) => {
    const deps = { config: given, readNames, port: 8787 };
    expect(findReach({ publicUrl }, deps)).toMatchObject({ reach, base: publicUrl });
    expect(addressForAll({ publicUrl }, deps)).toBe(reach === "PUBLIC" ? publicUrl : "");
  },
);
