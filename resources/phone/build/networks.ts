import { keyed, readTable, TableError } from "../../lib/csv.ts";
import { type Network, type NetworkList, plainName } from "./network-list.ts";

interface NamedNetwork {
  readonly at: string;
  readonly country: string;
  readonly carrier: string;
  readonly prefixes: readonly string[];
  readonly network: Network;
  readonly knownAs: string;
}

interface Host {
  readonly at: string;
  readonly carrier: string;
}

/** The network of a carrier of the data, and what people call it. */
export interface CarrierNetwork {
  network: Network | undefined;
  /** "" when nothing better is known than the carrier's own name. */
  knownAs: string;
}

export interface NetworkFinder {
  /** By a carrier's name in the data, and others that it goes by. */
  networkOf(country: string, names: readonly string[], national: string): CarrierNetwork;
  /** The carrier whose network a virtual operator uses, "" when not known; undefined for others. */
  hostOf(country: string, carrier: string): string | undefined;
  /** Rows that no number used: a name misspelt, or gone from the data. */
  unused(): string[];
}

/**
 * Finds networks by name: first in our table, then in the list of networks itself, where one that
 * is in service comes before one that is not.
 */
export function networkFinder(
  networksFile: string,
  virtualFile: string,
  list: NetworkList,
): NetworkFinder {
  const named = readNamed(networksFile, list);
  const hosts = readHosts(virtualFile);
  const unused = new Map<object, string>();
  for (const row of named) unused.set(row, `${row.at}: ${row.country} "${row.carrier}"`);
  for (const [carrier, row] of hosts) unused.set(row, `${row.at}: ${carrier}`);
  return {
    networkOf(country, names, national) {
      const rows = named.filter((row) => row.country === country && row.carrier === names[0]);
      const row =
        rows.find(({ prefixes }) => prefixes.some((prefix) => national.startsWith(prefix))) ??
        rows.find(({ prefixes }) => prefixes.length === 0);
      if (row === undefined) {
        return { network: findByName(list.get(country) ?? [], names), knownAs: "" };
      }
      unused.delete(row);
      return row;
    },
    hostOf(country, carrier) {
      const host = hosts.get(`${country} ${carrier}`);
      if (host === undefined) return undefined;
      unused.delete(host);
      return host.carrier;
    },
    unused: () => [...unused.values()],
  };
}

function findByName(networks: readonly Network[], names: readonly string[]): Network | undefined {
  for (const inService of [true, false]) {
    for (const name of names.map(plainName)) {
      const found = networks.find((n) => n.inService === inService && n.names.has(name));
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

function readNamed(file: string, list: NetworkList): NamedNetwork[] {
  const columns = ["country", "carrier", "prefixes", "network", "knownAs"] as const;
  return readTable(file, columns).map(({ at, cells }) => {
    const { country, carrier, prefixes, knownAs } = cells;
    const network = list.get(country)?.find(({ mcc, mnc }) => `${mcc}-${mnc}` === cells.network);
    if (network === undefined) {
      throw new TableError(at, `the list has no network ${cells.network} in "${country}"`);
    }
    return {
      at,
      country,
      carrier,
      prefixes: prefixes === "" ? [] : prefixes.split(" "),
      network,
      knownAs,
    };
  });
}

function readHosts(file: string): Map<string, Host> {
  const rows = readTable(file, ["country", "carrier", "host"]);
  return keyed(rows, ({ at, cells }) => [
    `${cells.country} ${cells.carrier}`,
    { at, carrier: cells.host },
  ]);
}
