import { beforeEach, describe, expect, it } from "vitest";
import type { Module } from "../modules/module.ts";
import { ModuleSet } from "./context.ts";

/** Returns a job runner that logs its calls. */
function runnerOf(log: string[]) {
  return {
    register: (kind: string) => log.push(`jobs of ${kind}`),
    start: async () => void log.push("jobs start"),
    stop: async () => void log.push("jobs stop"),
  };
}

let log: string[];
let stack: AsyncDisposableStack;
let modules: ModuleSet;
beforeEach(() => {
  log = [];
  stack = new AsyncDisposableStack();
  stack.defer(() => void log.push("database closed"));
  modules = new ModuleSet(runnerOf(log), stack);
});

function moduleOf(name: string): Module {
  return {
    services: { [name]: name },
    recover: async () => void log.push(`${name} recovers`),
    start: () => void log.push(`${name} starts`),
    stop: () => void log.push(`${name} stops`),
    release: () => void log.push(`${name} releases`),
  };
}

describe("modules", () => {
  it("start in order: unfinished work is resumed, jobs run, then each starts", async () => {
    modules.add({ ...moduleOf("wallet"), jobs: [{ kind: "pay", run: async () => undefined }] });
    modules.add(moduleOf("sales"));
    modules.seal();
    await modules.start();
    expect(log).toEqual([
      "jobs of pay",
      "wallet recovers",
      "sales recovers",
      "jobs start",
      "wallet starts",
      "sales starts",
    ]);
  });

  it("end in reverse order: all stop, then jobs end, then services, then the earlier resources", async () => {
    modules.add(moduleOf("wallet"));
    modules.add(moduleOf("sales"));
    modules.seal();
    await stack.disposeAsync();
    expect(log).toEqual([
      "sales stops",
      "wallet stops",
      "jobs stop",
      "sales releases",
      "wallet releases",
      "database closed",
    ]);
  });

  it("end even if one of them fails to", async () => {
    modules.add(moduleOf("wallet"));
    modules.add({ services: {}, release: () => Promise.reject(new Error("stuck")) });
    modules.seal();
    await expect(stack.disposeAsync()).rejects.toThrow("stuck");
    expect(log).toEqual(["wallet stops", "jobs stop", "wallet releases", "database closed"]);
  });

  it("release their resources if a later step of the start failed", async () => {
    modules.add(moduleOf("wallet"));
    await stack.disposeAsync();
    expect(log).toEqual(["wallet releases", "database closed"]);
  });

  it("cannot add a service of the same name, which would hide the other's", () => {
    modules.add(moduleOf("wallet"));
    expect(() => modules.add(moduleOf("wallet"))).toThrow("two modules bring the service wallet");
  });
});
