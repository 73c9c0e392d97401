import type { App } from "./http/app-types.ts";
import type { JobRunner } from "./jobs/job-runner.ts";
import type { Module } from "./modules/module.ts";

type Jobs = Pick<JobRunner, "register" | "start" | "stop">;

/** Where a module's operations are served. */
type Door = "everywhere" | "root" | "v1Public" | "v1" | "pages" | "pos" | "hooks";

/** The modules of a gateway in the order they were made, in which none comes before what it uses. */
export class ModuleSet {
  readonly #modules: Module[] = [];
  readonly #names = new Set<string>();
  readonly #jobs: Jobs;
  readonly #stack: AsyncDisposableStack;
  /** What is left of a start; undefined before it. */
  #steps: (() => unknown)[] | undefined;

  /** @param stack closes what was opened before the modules; they are closed before that */
  constructor(jobs: Jobs, stack: AsyncDisposableStack) {
    this.#jobs = jobs;
    this.#stack = stack;
  }

  /**
   * @returns its services, for those that come after it
   * @throws when another module has brought a service of the same name
   */
  add<Services extends object>(module: Module<Services>): Services {
    for (const name of Object.keys(module.services)) {
      if (this.#names.has(name)) throw new Error(`two modules bring the service ${name}`);
      this.#names.add(name);
    }
    this.#modules.push(module);
    for (const { kind, run, ...lane } of module.jobs ?? []) this.#jobs.register(kind, run, lane);
    this.#stack.defer(() => module.release?.());
    return module.services;
  }

  /**
   * Once the last has been added. From then on closing begins with what modules do by themselves;
   * then jobs end, which may use any service until then; then what they used, the last module first.
   */
  seal(): void {
    this.#stack.defer(() => this.#jobs.stop());
    for (const module of this.#modules) this.#stack.defer(() => module.stop?.());
  }

  /** Serves the operations that the modules have for a door. */
  async serve(door: Door, app: App): Promise<void> {
    for (const module of this.#modules) await module[door]?.(app);
  }

  /**
   * Takes up what an earlier run left unfinished, and everything that falls due from now on. After a failure it may be
   * called again: it goes on with the step that failed.
   */
  async start(): Promise<void> {
    this.#steps ??= [
      ...this.#modules.map((module) => () => module.recover?.()),
      () => this.#jobs.start(),
      ...this.#modules.map((module) => () => module.start?.()),
    ];
    for (let step = this.#steps[0]; step; step = this.#steps[0]) {
      await step();
      this.#steps.shift();
    }
  }
}
