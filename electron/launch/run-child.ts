import { spawn } from "node:child_process";
import { constants } from "node:os";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
/** What a shell reports for a process that a signal ended. */
export const SIGNAL_EXIT_BASE = 128;

/**
 * Runs a program in the place of this one: same terminal, signals passed on, its exit code as the
 * answer.
 */
export function runInPlace(
  command: string,
  args: readonly string[],
  options: { cwd: string; env: NodeJS.ProcessEnv },
): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { ...options, stdio: "inherit" });
    const listeners = SIGNALS.map((signal) => {
      const listener = () => {
        // Ctrl+C in a terminal reaches the child by itself; twice would cut its work short.
        if (signal !== "SIGINT" || !process.stdin.isTTY) {
          child.kill(signal);
        }
      };
      process.on(signal, listener);
      return () => process.off(signal, listener);
    });
    const end = () => {
      for (const stopListening of listeners) {
        stopListening();
      }
    };
    child.once("error", (error) => {
      end();
      reject(error);
    });
    child.once("exit", (code, signal) => {
      end();
      resolve(code ?? SIGNAL_EXIT_BASE + (signal === null ? 0 : constants.signals[signal]));
    });
  });
}

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
