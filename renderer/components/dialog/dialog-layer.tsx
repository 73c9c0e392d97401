import { Modal, type ModalProps } from "@mantine/core";
import { type ReactNode, type RefObject, useLayoutEffect } from "react";
import { useTranslation } from "react-i18next";
import { dialogDrawn } from "../../lib/open-dialogs.ts";
import { insertText } from "../../lib/type-into.ts";

export interface DialogLayerProps extends Pick<ModalProps, "size" | "withCloseButton"> {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly title: ReactNode;
  /** Opens and closes without a transition, because the next keys are meant for the dialog. */
  readonly isInstant?: boolean;
  readonly content: RefObject<HTMLDivElement | null>;
  readonly children: ReactNode;
}

export function DialogLayer({
  opened,
  onClose,
  title,
  isInstant = false,
  content,
  children,
  ...shape
}: DialogLayerProps) {
  const { t } = useTranslation();
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={title}
      closeButtonProps={{ "aria-label": t("common.close"), size: "var(--touch)" }}
      closeOnEscape={false}
      returnFocus={false}
      {...(isInstant && { transitionProps: { duration: 0 } })}
      {...shape}
    >
      <div ref={content}>{children}</div>
      <EarlyText content={content} />
    </Modal>
  );
}

/** The title of a dialog, for screen readers only: the screen shows the dialog's purpose. */
export function SpokenTitle({ children }: Pick<DialogLayerProps, "children">) {
  return <Modal.Title className="spoken">{children}</Modal.Title>;
}

/** Fills the dialog's first field with the text that was typed before the dialog was rendered. */
export function EarlyText({ content }: Pick<DialogLayerProps, "content">) {
  useLayoutEffect(() => {
    const text = content.current ? dialogDrawn(content.current) : "";
    const field = document.activeElement;
    const isField = field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement;
    if (text !== "" && isField && content.current?.contains(field)) {
      insertText(field, text);
    }
  }, [content]);
  return null;
}
