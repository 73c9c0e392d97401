import { Modal, type ModalProps } from "@mantine/core";
import { type ReactNode, useRef } from "react";
import { useTranslation } from "react-i18next";
import { useOpenDialog } from "./use-open-dialog.ts";

interface DialogProps
  extends Pick<ModalProps, "size" | "centered" | "yOffset" | "padding" | "withCloseButton"> {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly title: ReactNode;
  /** Read out only, where the dialog's purpose is visible without a title. */
  readonly isTitleHidden?: boolean;
  /** Shown and hidden at once, without a transition, since the next keys are meant for it. */
  readonly isInstant?: boolean;
  readonly children: ReactNode;
}

/**
 * A layer over the screen that has to be answered or left. While it is open no key acts on the screen
 * below, Escape closes it and nothing else, the focus stays inside, and returns to where it was
 * (rules#key-dialog-first).
 */
export function Dialog({
  opened,
  onClose,
  title,
  isTitleHidden = false,
  isInstant = false,
  children,
  ...shape
}: DialogProps) {
  const { t } = useTranslation();
  const content = useRef<HTMLDivElement>(null);
  useOpenDialog(opened, onClose, content);
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      {...(!isTitleHidden && { title })}
      closeButtonProps={{ "aria-label": t("common.close"), size: "var(--touch)" }}
      closeOnEscape={false}
      returnFocus={false}
      {...(isInstant && { transitionProps: { duration: 0 } })}
      {...shape}
    >
      {isTitleHidden ? <Modal.Title className="spoken">{title}</Modal.Title> : null}
      <div ref={content}>{children}</div>
    </Modal>
  );
}
