import { spawn } from "node:child_process";
import { constants } from "node:os";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
/** A shell's exit code for a process ended by a signal: this number plus the signal's number. */
export const SIGNAL_EXIT_BASE = 128;

/** Runs a program in place of this program, with the same terminal, signals and exit code. */
export function runInPlace(
  command: string,
  args: readonly string[],
  options: { cwd: string; env: NodeJS.ProcessEnv },
): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { ...options, stdio: "inherit" });
    const listeners = SIGNALS.map((signal) => {
      const listener = () => {
        // Ctrl+C in a terminal also reaches the child directly. A second signal would abort its
        // work.
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

/** Updates a progress line on a terminal. Elsewhere the line is printed only once. */
export function showProgress(label: string): { update(detail: string): void; end(): void } {
  const { stderr } = process;
  stderr.write(stderr.isTTY ? `${label} …` : `${label} …\n`);
  return {
    update: (detail) => {
      if (stderr.isTTY) {
        stderr.write(`\r\u001b[K${label} … ${detail}`);
      }
    },
    end: () => {
      if (stderr.isTTY) {
        stderr.write("\r\u001b[K");
      }
    },
  };
}
