declare module "pino-roll" {
  import type { EventEmitter } from "node:events";

  interface RollingFile extends EventEmitter {
    readonly destroyed: boolean;
    write(text: string): boolean;
    end(): void;
  }

  function openRollingFile(options: {
    file: string;
    extension: string;
    size: string;
    limit: { count: number; removeOtherLogFiles: boolean };
    mode: number;
  }): Promise<RollingFile>;

  export = openRollingFile;
}
