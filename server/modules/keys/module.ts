import type { Base, Module } from "../module.ts";
import { KeyService } from "./key-service.ts";

export function createKeysModule(deps: Base) {
  return { services: { keys: new KeyService(deps) } } satisfies Module;
}
