import { isIP, type Server, type Socket } from "node:net";
import { networkInterfaces } from "node:os";
import { type FirewallState, type Reach, reachOperations } from "../../../contract/pos/reach.ts";
import type { PosNetwork } from "../../../contract/pos/support.ts";
import { isLoopback } from "../../../http/addresses.ts";
import { handle } from "../../../http/pos-operations.ts";
import { type Clock, SECOND } from "../../../lib/clock.ts";
import type { Base, Module } from "../../module.ts";

type ReachModuleDeps = Pick<Base, "clock"> & { findFirewall: FindFirewall };

export function createReachModule(deps: ReachModuleDeps) {
  const reach = new ReachService(deps);
  return {
    services: { reach },
    pos: (app) =>
      handle(app, reachOperations.look, async () => ({ listeners: await reach.listListeners() })),
  } satisfies Module;
}

/** Time for which a result is reused, because querying a firewall runs a system command. */
const REMEMBERED_MS = 10 * SECOND;

interface WatchedListener {
  readonly scheme: "http" | "https";
  readonly host: string;
  readonly port: number;
  readonly server: Pick<Server, "on" | "off">;
}

interface ReachServiceDeps {
  clock: Clock;
  findFirewall: FindFirewall;
  /**
   * Returns whether an address is this machine's own. No firewall blocks connections from such an
   * address.
   */
  isOwnAddress?: (address: string) => boolean;
}

/** Checks whether other machines can connect or a firewall blocks them (rules#alert-network). */
export class ReachService {
  readonly #deps: Required<ReachServiceDeps>;
  readonly #reached = new Set<number>();
  #opened: readonly WatchedListener[] = [];
  #looked: { at: number; ways: Promise<ReachableListener[]> } | undefined;

  constructor({ isOwnAddress = isOfThisMachine, ...deps }: ReachServiceDeps) {
    this.#deps = { ...deps, isOwnAddress };
  }

  /**
   * Watches listeners for connections from other machines. Such a connection proves that no
   * firewall blocks the listener.
   */
  watch(opened: readonly WatchedListener[]): void {
    this.#opened = opened;
    this.#looked = undefined;
    for (const one of opened) this.#noteFirst(one);
  }

  async listListeners(): Promise<Reach["listeners"]> {
    const ways = await this.findWays();
    return ways.map(({ url, port, firewall }) => {
      const isReached = this.#reached.has(port);
      if (!firewall) return { url, port, reached: isReached };
      const { name, isOpen, command } = firewall;
      const state = isReached ? "OPEN" : toFirewallState(isOpen);
      return { url, port, reached: isReached, firewall: { name, state, command } };
    });
  }

  findWays(): Promise<ReachableListener[]> {
    const now = this.#deps.clock.running();
    if (this.#looked === undefined || now - this.#looked.at >= REMEMBERED_MS) {
      this.#looked = { at: now, ways: findWays(this.#opened, this.#deps.findFirewall) };
    }
    return this.#looked.ways;
  }

  #noteFirst({ server, port }: WatchedListener): void {
    const note = ({ remoteAddress = "" }: Socket) => {
      if (remoteAddress === "" || this.#deps.isOwnAddress(remoteAddress)) return;
      this.#reached.add(port);
      server.off("connection", note);
    };
    server.on("connection", note);
  }
}

function toFirewallState(isOpen: boolean | undefined): FirewallState {
  if (isOpen === undefined) return "UNKNOWN";
  return isOpen ? "OPEN" : "BLOCKED";
}

function isOfThisMachine(address: string): boolean {
  const plain = address.replace(/^::ffff:/, "");
  const own = Object.values(networkInterfaces()).flatMap((all) => all ?? []);
  return plain.startsWith("127.") || own.some((one) => one.address === plain);
}

interface Firewall {
  readonly name: string;
  /**
   * Whether the firewall allows the port; undefined if only an administrator may read the rules.
   */
  readonly isOpen: boolean | undefined;
  readonly command: string;
}

/**
 * Finds the active firewall that decides about a port; undefined if none is active or can be
 * queried.
 */
export type FindFirewall = (port: number) => Promise<Firewall | undefined>;

interface Listener {
  readonly scheme: "http" | "https";
  readonly host: string;
  readonly port: number;
}

interface ReachableListener {
  readonly scheme: "http" | "https";
  readonly url: string;
  readonly port: number;
  readonly firewall: Firewall | undefined;
}

export function findWays(
  listeners: readonly Listener[],
  find: FindFirewall,
): Promise<ReachableListener[]> {
  return Promise.all(
    listeners.map(async ({ scheme, host, port }) => {
      const url = `${scheme}://${getTypeableHost(host)}:${port}`;
      return { scheme, url, port, firewall: await find(port) };
    }),
  );
}

interface Description {
  /** Whether an active firewall may block connections from other machines. */
  isInDoubt: boolean;
  /** Lines for the log: the URLs, how to test them, and the remedy for a blocking firewall. */
  lines: string[];
}

export function describeWays(ways: readonly ReachableListener[]): Description {
  if (ways.length === 0) {
    return {
      isInDoubt: false,
      lines: ["Only this machine reaches Tillgate: no firewall is asked."],
    };
  }
  const isInDoubt = ways.some(({ firewall }) => firewall && firewall.isOpen !== true);
  return { isInDoubt, lines: ways.flatMap(describeListener) };
}

function describeListener({ scheme, url, port, firewall }: ReachableListener): string[] {
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

/**
 * Returns an address that people can type on other machines, even for a listener on every address.
 */
function getTypeableHost(host: string): string {
  if (host !== "0.0.0.0" && host !== "::") return host.includes(":") ? `[${host}]` : host;
  const own = Object.values(networkInterfaces()).flatMap((all) => all ?? []);
  const found = own.find(({ family, internal }) => family === "IPv4" && !internal);
  return found?.address ?? "ADDRESS-OF-THIS-MACHINE";
}

/** @param host address on which the gateway listens */
export function describeNetwork(
  host: string,
  port: number,
  interfaces: ReturnType<typeof networkInterfaces> = networkInterfaces(),
): PosNetwork {
  const open = !isLoopback(host) && host !== "localhost";
  if (!open) return { open, host, port, addresses: [] };
  const isAny = host === "0.0.0.0" || host === "::";
  const ours = isAny ? ownAddresses(interfaces) : [host];
  return {
    open,
    host,
    port,
    addresses: ours.map(
      (address) => `http://${address.includes(":") ? `[${address}]` : address}:${port}`,
    ),
  };
}

interface MachineNames {
  readonly names: readonly string[];
  readonly allowed: readonly string[];
}

/**
 * Returns the till's URLs for other devices: first the names that an owner allowed, next the
 * machine's `.local` name, last its addresses. Names are preferred because an address may change,
 * and the till's cookies belong to the opened address.
 */
export function entranceOf(
  { host, port }: Pick<Listener, "host" | "port">,
  { names, allowed }: MachineNames,
  addresses: readonly string[] = ownAddresses(),
): string[] {
  const isAny = host === "0.0.0.0" || host === "::";
  const isHere = isLoopback(host) || host === "localhost";
  const own = isHere ? [] : names.filter((name) => isIP(name) === 0 && name.endsWith(".local"));
  const ours = [...allowed.filter((name) => name !== "localhost"), ...own];
  const found = new Set([...ours, ...(isAny ? addresses : [host])]);
  return [...found].map((one) => `https://${one.includes(":") ? `[${one}]` : one}:${port}`);
}

const INNER = /^(docker|br-|veth|virbr|vmnet|utun|tun|tap)/;

/** Returns this machine's IPv4 addresses, first those that other devices of the shop can reach. */
function ownAddresses(
  interfaces: ReturnType<typeof networkInterfaces> = networkInterfaces(),
): string[] {
  return Object.entries(interfaces)
    .flatMap(([name, addresses = []]) =>
      addresses
        .filter(({ family, internal }) => family === "IPv4" && !internal)
        .map(({ address }) => ({ address, isInner: INNER.test(name) })),
    )
    .toSorted((a, b) => Number(a.isInner) - Number(b.isInner))
    .map(({ address }) => address);
}
