import type { Server, Socket } from "node:net";
import { networkInterfaces } from "node:os";
import type { FirewallState, Reach } from "../../../contract/pos/reach.ts";
import { type Clock, SECOND } from "../../../lib/clock.ts";
import { type FindFirewall, findWays, type Way } from "./reach.ts";

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
