/** One line that grows on a terminal, and is written once where there is none. */
export function showProgress(what: string): { update(detail: string): void; end(): void } {
  const { stderr } = process;
  stderr.write(stderr.isTTY ? `${what} …` : `${what} …\n`);
  return {
    update: (detail) => {
      if (stderr.isTTY) {
        stderr.write(`\r\u001b[K${what} … ${detail}`);
      }
    },
    end: () => {
      if (stderr.isTTY) {
        stderr.write("\r\u001b[K");
      }
    },
  };
}
