import { describe, expect, it } from "vitest";
import { isPlainToServer } from "./database.ts";

describe("the way to a PostgreSQL", () => {
  it.each([
    ["postgres://u:p@db.example.com/shop", true],
    ["postgres://u:p@10.0.0.5:5432/shop?sslmode=disable", true],
    ["postgres://u:p@db.example.com/shop?sslmode=no-verify", true],
    ["postgres://u:p@db.example.com/shop?sslmode=verify-full&sslrootcert=/etc/ca.pem", false],
    ["postgres://u:p@db.example.com/shop?ssl=true", false],
    ["postgres://u:p@127.0.0.1:5432/shop", false],
    ["postgres://u:p@localhost/shop", false],
    ["postgres://u:p@[::1]/shop", false],
    ["postgres:///shop?host=/run/postgresql", false],
  ])("%s is open to the network between: %s", (address, isOpen) => {
    expect(isPlainToServer(address)).toBe(isOpen);
  });

  it("follows PGSSLMODE where the address says nothing", () => {
    const address = "postgres://u:p@db.example.com/shop";
    expect(isPlainToServer(address, "verify-full")).toBe(false);
  });
});
