import { describe, expect, it } from "vitest";
import { findTiles, indexPicker } from "./picker-index.ts";

const NAMES = [
  "South Africa",
  "España",
  "Africa",
  "Côte d’Ivoire",
  "مصر",
  "Claro · Internet",
  "SRM Rabat-Salé",
];
const index = indexPicker(NAMES.map((name) => ({ id: name, name, item: name })));

describe("picker search", () => {
  it.each([
    ["", NAMES],
    ["  ", NAMES],
    ["africa", ["Africa", "South Africa"]],
    ["ESPANA", ["España"]],
    ["cote iv", ["Côte d’Ivoire"]],
    ["iv cote", ["Côte d’Ivoire"]],
    ["internet", ["Claro · Internet"]],
    ["SRM Rabat-Salé", ["SRM Rabat-Salé"]],
    ["rabat-sa", ["SRM Rabat-Salé"]],
    ["frica", []],
    ["مصر", ["مصر"]],
    ["(", []],
  ])("%j finds %j", (query, found) => {
    expect(findTiles(index, query).map(({ name }) => name)).toEqual(found);
  });
});

it("ranks matches by other search terms below matches by name", () => {
  const tile = (name: string, also: readonly string[] = []) => ({
    id: name,
    name,
    also,
    item: name,
  });
  const index = indexPicker([
    tile("Global", ["Cuba", "República Dominicana", "Spain"]),
    tile("Caribbean", ["Cuba", "República Dominicana"]),
    tile("Cuba"),
    tile("Spain"),
  ]);
  const find = (query: string) => findTiles(index, query).map(({ name }) => name);
  expect(find("cuba")).toEqual(["Cuba", "Global", "Caribbean"]);
  expect(find("rep domi")).toEqual(["Global", "Caribbean"]);
  expect(find("cuba spain")).toEqual([]);
  expect(find("")).toHaveLength(4);
});

it("ranks tiles of the shop's own country first, but below an exact name match", () => {
  const tile = (name: string, isHome: boolean) => ({ id: name, name, isHome, item: name });
  const index = indexPicker([
    tile("Electra", false),
    tile("Electricidad del Norte", false),
    tile("Empresa Eléctrica", true),
    tile("Eléctricas Unidas", true),
  ]);
  const find = (query: string) => findTiles(index, query).map(({ name }) => name);
  expect(find("elec")).toEqual([
    "Eléctricas Unidas",
    "Empresa Eléctrica",
    "Electra",
    "Electricidad del Norte",
  ]);
  expect(find("electra")).toEqual(["Electra"]);
  expect(find("Eléctricas unidas ")[0]).toBe("Eléctricas Unidas");
});
