import { fireEvent, render } from "@testing-library/react";
import { expect, it } from "vitest";
import { Flag } from "./flag.tsx";

it("a flag keeps its space if the image fails to load, and loads the next country's image", () => {
  const { container, rerender } = render(<Flag country="GT" />);
  const picture = () => container.querySelector("img");
  expect(picture()?.getAttribute("src")).toMatch(/\/GT\.svg$/);
  fireEvent.error(picture()!);
  expect(picture()).toBeNull();
  expect(container.querySelector("span")).not.toBeNull();
  rerender(<Flag country="KE" />);
  expect(picture()?.getAttribute("src")).toMatch(/\/KE\.svg$/);
});
