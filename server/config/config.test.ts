import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type ConfigOptions, checkConfig, StartupError } from "./config.ts";

const DIRS = { rendererDir: "/pages", resourcesDir: "/resources" };
const VARIABLES = [
  "TILLGATE_DATA",
  "TILLGATE_DATABASE",
  "TILLGATE_PORT",
  "TILLGATE_HOST",
  "TILLGATE_LOG",
  "TILLGATE_BACKUPS",
  "TILLGATE_LOG_FILE",
  "TILLGATE_ALLOWED_HOSTS",
  "XDG_DATA_HOME",
  "LOCALAPPDATA",
];

beforeEach(() => {
  for (const name of VARIABLES) vi.stubEnv(name, undefined);
});
afterEach(() => {
  vi.unstubAllEnvs();
});

function check(options: Partial<ConfigOptions> = {}) {
  return checkConfig({ ...DIRS, ...options });
}

describe("the configuration", () => {
  it("accepts only connections from this machine by default", () => {
    expect(check()).toMatchObject({
      host: "127.0.0.1",
      port: 8787,
      logLevel: "warn",
      allowedHosts: [],
      ...DIRS,
    });
  });

  it.runIf(process.platform === "linux")(
    "keeps its data in the user's data folder by default",
    () => {
      expect(check().dataDir).toBe(join(homedir(), ".local", "share", "tillgate"));
      vi.stubEnv("XDG_DATA_HOME", "/srv/data");
      expect(check().dataDir).toBe("/srv/data/tillgate");
    },
  );

  it("sets the log file: in the data directory, at a given path, or none", () => {
    expect(check({ dataDir: "/srv/till" }).logFile).toBe(resolve("/srv/till/logs/tillgate.log"));
    vi.stubEnv("TILLGATE_LOG_FILE", "/var/log/till.log");
    expect(check().logFile).toBe(resolve("/var/log/till.log"));
    vi.stubEnv("TILLGATE_LOG_FILE", "off");
    expect(check().logFile).toBeUndefined();
  });

  it("stores backups in the data directory by default", () => {
    expect(check({ dataDir: "/srv/till" }).backupDir).toBe(resolve("/srv/till/backups"));
    vi.stubEnv("TILLGATE_BACKUPS", "/mnt/other");
    expect(check().backupDir).toBe(resolve("/mnt/other"));
    expect(check({ backupDir: "/mnt/given" }).backupDir).toBe(resolve("/mnt/given"));
  });

  it("accepts only addresses and networks as trusted proxies", () => {
    expect(check().trustedProxies).toEqual([]);
    vi.stubEnv("TILLGATE_TRUSTED_PROXIES", "10.0.8.1, 10.0.9.0/24,2001:db8::/32, ");
    expect(check().trustedProxies).toEqual(["10.0.8.1", "10.0.9.0/24", "2001:db8::/32"]);
    for (const wrong of ["balancer.example", "10.0.8.0/33", "10.0.8.0/0", "10.0.8.1/8/8", "all"]) {
      vi.stubEnv("TILLGATE_TRUSTED_PROXIES", wrong);
      expect(() => check()).toThrow(`or networks as in 10.0.8.0/24, not "${wrong}"`);
    }
  });

  it("prefers an option to an environment variable, and the variable to the default", () => {
    vi.stubEnv("TILLGATE_DATA", "/from/environment");
    vi.stubEnv("TILLGATE_PORT", "1000");
    vi.stubEnv("TILLGATE_HOST", "0.0.0.0");
    vi.stubEnv("TILLGATE_LOG", "debug");
    vi.stubEnv("TILLGATE_ALLOWED_HOSTS", "till.example, ,Shop.local");
    expect(check()).toMatchObject({
      dataDir: "/from/environment",
      port: 1000,
      host: "0.0.0.0",
      logLevel: "debug",
      allowedHosts: ["till.example", "Shop.local"],
    });
    expect(check({ dataDir: "given", port: "0", host: "::1", logLevel: "silent" })).toMatchObject({
      dataDir: resolve("given"),
      port: 0,
      host: "::1",
      logLevel: "silent",
    });
  });

  it.each<[string, Partial<ConfigOptions>]>([
    ["--port", { port: "" }],
    ["--port", { port: "80a" }],
    ["--port", { port: "-1" }],
    ["--port", { port: "1.5" }],
    ["--port", { port: "65536" }],
    ["--port", { port: 65_536 }],
    ["--port", { port: "0x50" }],
    ["--host", { host: "" }],
    ["--host", { host: "a b" }],
    ["--host", { host: "http://here" }],
    ["--data", { dataDir: "  " }],
    ["--backups", { backupDir: " " }],
    ["TILLGATE_LOG", { logLevel: "verbose" }],
  ])("names %s in the error about %j", (name, options) => {
    expect(() => check(options)).toThrow(StartupError);
    expect(() => check(options)).toThrow(name);
  });

  it.each([
    ["TILLGATE_PORT", "x"],
    ["TILLGATE_HOST", "a/b"],
    ["TILLGATE_DATA", ""],
    ["TILLGATE_LOG", ""],
    ["TILLGATE_LOG_FILE", " "],
  ])("names the variable %s in the error about its value %j", (name, value) => {
    vi.stubEnv(name, value);
    expect(() => check()).toThrow(StartupError);
    expect(() => check()).toThrow(name);
  });

  it("accepts the address of a PostgreSQL server, and never prints an invalid one", () => {
    expect(check().database).toBeUndefined();
    expect(check({ database: "" }).database).toBeUndefined();
    const address = "postgres://shop:secret@db.example:5433/tillgate";
    expect(check({ database: address }).database).toBe(address);
    vi.stubEnv("TILLGATE_DATABASE", address);
    expect(check().database).toBe(address);
    for (const wrong of [
      "mysql://a:hush@b/c",
      "postgres://a:hush@b",
      "tillgate",
      "postgres://a:hush@b:x/c",
    ]) {
      const read = () => check({ database: wrong });
      expect(read).toThrow("--database (TILLGATE_DATABASE)");
      expect(read).not.toThrow("hush");
    }
  });
});
