import type { Server, Socket } from "node:net";
import { networkInterfaces } from "node:os";
import type { FirewallState, Reach } from "../../../contract/pos/reach.ts";
import { type Clock, SECOND } from "../../../lib/clock.ts";

/** Firewalls are asked by commands of the system: many who look at once are one look. */
const REMEMBERED_MS = 10 * SECOND;

/** What listens for other machines. */
interface Opened {
  readonly scheme: "http" | "https";
  readonly host: string;
  readonly port: number;
  readonly server: Pick<Server, "on" | "off">;
}

interface ReachServiceDeps {
  clock: Clock;
  findFirewall: FindFirewall;
  /** Whether an address is of this machine, which no firewall keeps out. */
  isOwnAddress?: (address: string) => boolean;
}

/** How other machines reach this gateway, and what keeps them out (rules#alert-network). */
export class ReachService {
  readonly #deps: Required<ReachServiceDeps>;
  readonly #reached = new Set<number>();
  #opened: readonly Opened[] = [];
  #looked: { at: number; ways: Promise<Way[]> } | undefined;

  constructor({ isOwnAddress = isOfThisMachine, ...deps }: ReachServiceDeps) {
    this.#deps = { ...deps, isOwnAddress };
  }

  /** From then on it is noted which of them another machine has reached: no firewall keeps that one in. */
  watch(opened: readonly Opened[]): void {
    this.#opened = opened;
    this.#looked = undefined;
    for (const one of opened) this.#noteFirst(one);
  }

  /** What is opened to other machines; empty where only this machine is served. */
  async look(): Promise<Reach["listeners"]> {
    const ways = await this.findWays();
    return ways.map(({ url, port, firewall }) => {
      const isReached = this.#reached.has(port);
      if (!firewall) return { url, port, reached: isReached };
      const { name, isOpen, command } = firewall;
      const state = isReached ? "OPEN" : stateOf(isOpen);
      return { url, port, reached: isReached, firewall: { name, state, command } };
    });
  }

  findWays(): Promise<Way[]> {
    const now = this.#deps.clock.running();
    if (this.#looked === undefined || now - this.#looked.at >= REMEMBERED_MS) {
      this.#looked = { at: now, ways: findWays(this.#opened, this.#deps.findFirewall) };
    }
    return this.#looked.ways;
  }

  #noteFirst({ server, port }: Opened): void {
    const note = ({ remoteAddress = "" }: Socket) => {
      if (remoteAddress === "" || this.#deps.isOwnAddress(remoteAddress)) return;
      this.#reached.add(port);
      server.off("connection", note);
    };
    server.on("connection", note);
  }
}

function stateOf(isOpen: boolean | undefined): FirewallState {
  if (isOpen === undefined) return "UNKNOWN";
  return isOpen ? "OPEN" : "BLOCKED";
}

function isOfThisMachine(address: string): boolean {
  const plain = address.replace(/^::ffff:/, "");
  const own = Object.values(networkInterfaces()).flatMap((all) => all ?? []);
  return plain.startsWith("127.") || own.some((one) => one.address === plain);
}

/** A firewall of this machine that is on. */
interface Firewall {
  readonly name: string;
  /** Undefined where only an administrator may see its rules. */
  readonly isOpen: boolean | undefined;
  /** What opens the port, typed by an administrator. */
  readonly command: string;
}

/** Finds the firewall that decides about a port; undefined where none is on, or none can be asked. */
export type FindFirewall = (port: number) => Promise<Firewall | undefined>;

interface Listener {
  readonly scheme: "http" | "https";
  readonly host: string;
  readonly port: number;
}

/** Where other machines get in, and what may be in their way. */
interface Way {
  readonly scheme: "http" | "https";
  /** With an address that other machines can type. */
  readonly url: string;
  readonly port: number;
  readonly firewall: Firewall | undefined;
}

export function findWays(listeners: readonly Listener[], find: FindFirewall): Promise<Way[]> {
  return Promise.all(
    listeners.map(async ({ scheme, host, port }) => {
      const url = `${scheme}://${addressOf(host)}:${port}`;
      return { scheme, url, port, firewall: await find(port) };
    }),
  );
}

interface Described {
  /** Whether a firewall is on that is not known to let other machines in. */
  isInDoubt: boolean;
  /** Who reaches the gateway, how to try it, and what to do where a firewall is in the way. */
  lines: string[];
}

/** In words for the log and the command line. */
export function describeWays(ways: readonly Way[]): Described {
  if (ways.length === 0) {
    return {
      isInDoubt: false,
      lines: ["Only this machine reaches Tillgate: no firewall is asked."],
    };
  }
  const isInDoubt = ways.some(({ firewall }) => firewall && firewall.isOpen !== true);
  return { isInDoubt, lines: ways.flatMap(describeWay) };
}

function describeWay({ scheme, url, port, firewall }: Way): string[] {
  const insecure = scheme === "https" ? "--insecure " : "";
  const toTry = `Other machines reach ${url}. To try it, type on one of them: curl ${insecure}${url}/`;
  if (!firewall) return [toTry];
  const { name, isOpen, command } = firewall;
  if (isOpen) return [toTry, `${name} lets them in by the port ${port}.`];
  return [
    toTry,
    isOpen === false
      ? `${name} blocks the port ${port}. An administrator opens it: ${command}`
      : `${name} is on, and only an administrator sees whether it blocks the port ${port}. This opens it: ${command}`,
  ];
}

/** One that other machines can type, where every address is listened on. */
function addressOf(host: string): string {
  if (host !== "0.0.0.0" && host !== "::") return host.includes(":") ? `[${host}]` : host;
  const own = Object.values(networkInterfaces()).flatMap((all) => all ?? []);
  const found = own.find(({ family, internal }) => family === "IPv4" && !internal);
  return found?.address ?? "ADDRESS-OF-THIS-MACHINE";
}
