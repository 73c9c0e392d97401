import { describe, expect, it } from "vitest";
import { findTiles, indexWall } from "./wall-index.ts";

const NAMES = ["South Africa", "España", "Africa", "Côte d’Ivoire", "مصر", "Claro · Internet"];
const index = indexWall(NAMES.map((name) => ({ id: name, name, item: name })));

describe("a search in a wall", () => {
  it.each([
    ["", NAMES],
    ["  ", NAMES],
    ["africa", ["Africa", "South Africa"]],
    ["ESPANA", ["España"]],
    ["cote iv", ["Côte d’Ivoire"]],
    ["iv cote", ["Côte d’Ivoire"]],
    ["internet", ["Claro · Internet"]],
    ["frica", []],
    ["مصر", ["مصر"]],
    ["(", []],
  ])("%j finds %j", (query, found) => {
    expect(findTiles(index, query).map(({ name }) => name)).toEqual(found);
  });
});
