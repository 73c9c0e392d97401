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

/** A virtual operator, by its name in the data. */
interface VirtualOperator {
  readonly at: string;
  readonly carrier: string;
  readonly prefixes: readonly string[];
  /** The carrier whose network it uses, "" when that is not known. */
  readonly host: string;
  /** Its own name where the data has its host's, else "". */
  readonly name: string;
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
  /** The virtual operator that a number is of; undefined for operators with a network. */
  virtualOf(country: string, carrier: string, national: string): VirtualOperator | undefined;
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
  const virtual = readVirtual(virtualFile);
  const unused = new Map<object, string>();
  for (const row of named) unused.set(row, `${row.at}: ${row.country} "${row.carrier}"`);
  for (const [key, rows] of virtual) for (const row of rows) unused.set(row, `${row.at}: ${key}`);
  return {
    networkOf(country, names, national) {
      const rows = named.filter((row) => row.country === country && row.carrier === names[0]);
      const row = forNumber(rows, national);
      if (row === undefined) {
        return { network: findByName(list.get(country) ?? [], names), knownAs: "" };
      }
      unused.delete(row);
      return row;
    },
    virtualOf(country, carrier, national) {
      const rows = virtual.get(`${country} ${carrier}`) ?? [];
      const row = forNumber(rows, national);
      if (row !== undefined) unused.delete(row);
      return row;
    },
    unused: () => [...unused.values()],
  };
}

/** The row for a number: one with a prefix of it before one for all numbers of the carrier. */
function forNumber<Row extends { readonly prefixes: readonly string[] }>(
  rows: readonly Row[],
  national: string,
): Row | undefined {
  return (
    rows.find(({ prefixes }) => prefixes.some((prefix) => national.startsWith(prefix))) ??
    rows.find(({ prefixes }) => prefixes.length === 0)
  );
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
      prefixes: prefixesOf(prefixes),
      network,
      knownAs,
    };
  });
}

function readVirtual(file: string): Map<string, VirtualOperator[]> {
  const operators = new Map<string, VirtualOperator[]>();
  const columns = ["country", "carrier", "prefixes", "host", "name"] as const;
  for (const { at, cells } of readTable(file, columns)) {
    const key = `${cells.country} ${cells.carrier}`;
    const row = { at, ...cells, prefixes: prefixesOf(cells.prefixes) };
    operators.set(key, [...(operators.get(key) ?? []), row]);
  }
  return operators;
}

/** The numbers of a country that nobody has any more: their carrier closed. */
export function readClosedCarriers(file: string): Map<string, string> {
  const rows = readTable(file, ["country", "carrier"]);
  return keyed(rows, ({ at, cells }) => [`${cells.country} ${cells.carrier}`, at]);
}

function prefixesOf(text: string): string[] {
  return text === "" ? [] : text.split(" ");
}
