import { render, screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import { LinkButton } from "./link-button.tsx";

it("LinkButton drops the focus after a press, so that the next Enter acts on the step", async () => {
  const onPress = vi.fn<() => void>();
  const user = userEvent.setup({ delay: null });
  render(
    <LinkButton shortcut="Esc" onPress={onPress}>
      Undo
    </LinkButton>,
  );
  await user.click(screen.getByRole("button", { name: /Undo/ }));
  await user.keyboard("{Enter}");
  expect(onPress).toHaveBeenCalledOnce();
});
