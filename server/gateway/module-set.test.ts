import { beforeEach, describe, expect, it } from "vitest";
import type { Module } from "../modules/module.ts";
import { ModuleSet } from "./context.ts";

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

describe("the module set", () => {
  it("resumes unfinished work, then starts the jobs, then each module", async () => {
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

  it("closes modules, jobs, services and earlier resources in this order, each group in reverse", async () => {
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

  it("ends the remaining modules even if one module fails to end", async () => {
    modules.add(moduleOf("wallet"));
    modules.add({ services: {}, release: () => Promise.reject(new Error("stuck")) });
    modules.seal();
    await expect(stack.disposeAsync()).rejects.toThrow("stuck");
    expect(log).toEqual(["wallet stops", "jobs stop", "wallet releases", "database closed"]);
  });

  it("releases resources if a later step of the start failed", async () => {
    modules.add(moduleOf("wallet"));
    await stack.disposeAsync();
    expect(log).toEqual(["wallet releases", "database closed"]);
  });

  it("refuses a second service of the same name, because it would hide the first", () => {
    modules.add(moduleOf("wallet"));
    expect(() => modules.add(moduleOf("wallet"))).toThrow("two modules bring the service wallet");
  });
});
