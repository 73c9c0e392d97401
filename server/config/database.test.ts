import { describe, expect, it } from "vitest";
import { isPlainToServer } from "./database.ts";

describe("TLS mode of a database connection", () => {
  it.each([
    ["postgres://u:p@db.example.com/shop", true],
    ["postgres://u:p@10.0.0.5:5432/shop?sslmode=disable", true],
    ["postgres://u:p@db.example.com/shop?sslmode=no-verify", true],
    ["postgres://u:p@db.example.com/shop?sslmode=verify-full&sslrootcert=/etc/ca.pem", false],
    ["postgres://u:p@db.example.com/shop?ssl=true", false],
    ["postgres://u:p@db.example.com/shop?sslmode=require&uselibpqcompat=true", true],
    ["postgres://u:p@db.example.com/shop?sslmode=verify-ca&uselibpqcompat=true", true],
    ["postgres://u:p@db.example.com/shop?sslmode=verify-full&uselibpqcompat=true", false],
    ["postgres://u:p@127.0.0.1:5432/shop", false],
    ["postgres://u:p@localhost/shop", false],
    ["postgres://u:p@[::1]/shop", false],
    ["postgres:///shop?host=/run/postgresql", false],
  ])("determines whether the traffic to %s is readable on the network: %s", (address, isOpen) => {
    expect(isPlainToServer(address)).toBe(isOpen);
  });

  it("follows PGSSLMODE if the address sets no mode", () => {
    const address = "postgres://u:p@db.example.com/shop";
    expect(isPlainToServer(address, "verify-full")).toBe(false);
  });
});
