import { lines } from "./rules-healthy-tree.ts";

interface NameFault {
  readonly file: string;
  readonly text: string;
  /** Line and banned name in each expected message about the file. */
  readonly says: readonly string[];
}

export const NAME_FAULTS: readonly NameFault[] = [
  {
    file: "server/modules/shop/staff/fault-time.ts",
    text: lines(
      "// Date.now() in a comment, and in types and strings, is none",
      'import { setTimeout as sleep } from "node:timers/promises";',
      "export const text = 'new Date()';",
      "export let timer: ReturnType<typeof setTimeout>;",
      "export const parsed = new Date(3);",
      "export const a = Date.now();",
      "export const b = new Date();",
      "timer = setTimeout(() => sleep(1), 1);",
      "setInterval(() => undefined, 1);",
      "export const c = globalThis.setImmediate(() => undefined);",
      "export const d = clock.setTimeout(1);",
      "export const e = [1].map(Date.now);",
      "export const f = () => {",
      "  const inner = () => 3;",
      "  return inner;",
      "};",
      "export const typed: () => number = () => 3;",
      "export const { now } = Date;",
    ),
    says: [
      "2: node:timers is",
      "2: setTimeout is",
      "6: Date.now is",
      "7: new Date() without an argument is",
      "8: setTimeout is",
      "9: setInterval is",
      "10: setImmediate is",
      "12: Date.now is",
      "13: a function as a constant of the file is",
      "18: Date.now is",
    ],
  },
  {
    file: "server/modules/shop/staff/fault-env.ts",
    text: lines(
      'import { env } from "node:process";',
      "export const { env: other } = process;",
      "export const home = process.env.HOME ?? env.HOME;",
      'export const path = process["env"].PATH;',
    ),
    says: ["1: process.env is", "2: process.env is", "3: process.env is", "4: process.env is"],
  },
  {
    file: "electron/windows/fault-ipc.ts",
    text: lines(
      'import { contextBridge, ipcMain } from "electron";',
      'import * as electron from "electron";',
      "electron.ipcRenderer.send(ipcMain, contextBridge, process.env.HOME);",
    ),
    says: ["1: ipcMain is", "1: contextBridge is", "3: ipcRenderer is", "3: process.env is"],
  },
  {
    file: "renderer/features/today/components/fault-dialog.tsx",
    text: lines(
      'import { Button, Drawer, Modal as Window, type ModalProps } from "@mantine/core";',
      'import { Modal } from "./modal.tsx";',
      "export const all: readonly [ModalProps, ...unknown[]] = [{}, Button, Drawer, Window, Modal];",
    ),
    says: ["1: Modal of Mantine is", "1: Drawer of Mantine is"],
  },
  {
    file: "renderer/features/today/api/fault-queries.ts",
    text: lines(
      "// /pos/sales in a comment is no path",
      'import { sale } from "../../../../server/contract/pos/sales.ts";',
      "export const mine = { queryKey: sale };",
      'export const query = { queryKey: ["sales"] };',
      'export const first = fetch("/pos/sales");',
      "export const second = globalThis.fetch(`/pos/sales`);",
      'export const stream = new EventSource("/elsewhere");',
    ),
    says: [
      "4: a literal query key is",
      "5: fetch is",
      "5: a path of /pos is",
      "6: fetch is",
      "6: a path of /pos is",
      "7: EventSource is",
    ],
  },
  {
    file: "renderer/features/today/components/fault-refs.tsx",
    text: lines(
      'import { useEffect, useRef } from "react";',
      "export function useFault(read: () => void, at: number) {",
      "  const field = useRef<HTMLInputElement>(null);",
      "  const before = useRef<Element>(null);",
      "  const busy = useRef(false);",
      "  const known = useRef<string>(undefined);",
      "  // biome-ignore lint/correctness/useExhaustiveDependencies: to be run when it changes",
      "  useEffect(() => read(), [at]);",
      "  return [field, before, busy, known];",
      "}",
      'document.querySelector("button")?.click();',
    ),
    says: [
      "11: a click on an element is",
      "5: a ref that is not an element's is",
      "6: a ref that is not an element's is",
      "7: suppressing a list of dependencies is",
    ],
  },
  {
    file: "renderer/features/today/components/fault-spread.tsx",
    text: lines(
      "export function Fault({ name }: { name?: string }) {",
      "  const fine = { ...(name && { name }) };",
      "  const fault = { ...(name ? { name } : {}), ...(name === undefined ? {} : { name }) };",
      "  return <p {...(name ? { title: name } : {})}>{String(fine) + String(fault)}</p>;",
      "}",
    ),
    says: ["3: a spread of {} is", "4: a spread of {} is"],
  },
  {
    file: "server/modules/selling/sales/fault-routes.ts",
    text: 'export const routes = ["/position", "/pos", "/pos/sales"];\n',
    says: ["1: a path of /pos is"],
  },
  {
    file: "server/contract/pos/exempt.ts",
    text: 'export const PREFIX = "/pos";\n',
    says: [],
  },
  {
    file: "renderer/components/dialog/exempt.tsx",
    text: 'import { Modal } from "@mantine/core";\nexport const own = Modal;\n',
    says: [],
  },
  {
    file: "server/modules/shop/staff/fault-wait.test.ts",
    text: lines(
      'import { setTimeout as sleep } from "node:timers/promises";',
      "await sleep(5);",
      "await new Promise((resolve) => setTimeout(resolve, 5));",
      "await new Promise<void>((resolve) => {",
      "  globalThis.setTimeout(() => resolve(), 5);",
      "});",
      "await new Promise((resolve) => setImmediate(resolve));",
      "await new Promise((resolve) => socket.setTimeout(5, resolve));",
      "export const timer = setTimeout(() => undefined, 5);",
    ),
    says: [
      "1: node:timers in a test is",
      "3: a promise of setTimeout is",
      "4: a promise of setTimeout is",
    ],
  },
  {
    file: "electron/testing/fault-wait.ts",
    text: "export const waited = new Promise((resolve) => setTimeout(resolve, 5));\n",
    says: ["1: a promise of setTimeout is"],
  },
  {
    file: "e2e/fault-wait.spec.ts",
    text: "declare const page: { waitForTimeout(ms: number): void };\npage.waitForTimeout(5);\n",
    says: ["2: waitForTimeout is"],
  },
  {
    file: "server/modules/shop/staff/exempt.test.ts",
    text: "export const now = Date.now();\n",
    says: [],
  },
];
