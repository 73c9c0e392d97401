import { networkInterfaces } from "node:os";

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
export interface Way {
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
