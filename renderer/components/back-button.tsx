import { Button } from "@mantine/core";
import { IconArrowLeft } from "@tabler/icons-react";
import type { ReactNode } from "react";

interface BackButtonProps {
  readonly className?: string | undefined;
  readonly onClick: () => void;
  /** The name of the place that the button opens. */
  readonly children: ReactNode;
}

/** Leaves a page or an opened row. */
export function BackButton({ className, onClick, children }: BackButtonProps) {
  return (
    <Button
      className={className ?? ""}
      variant="default"
      leftSection={<IconArrowLeft size="1.25rem" aria-hidden="true" />}
      onClick={onClick}
    >
      {children}
    </Button>
  );
}
