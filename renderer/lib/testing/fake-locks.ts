/**
 * `navigator.locks` as far as the till uses it: locks are exclusive, and held until the callback's
 * promise settles.
 */
export class FakeLocks {
  readonly #held = new Set<string>();
  readonly #waiting: (() => void)[] = [];

  async request(
    name: string,
    { ifAvailable = false, signal }: LockOptions,
    callback: (lock: object | null) => Promise<void> | undefined,
  ): Promise<void> {
    while (this.#held.has(name)) {
      if (ifAvailable) {
        await callback(null);
        return;
      }
      await new Promise<void>((resolve, reject) => {
        this.#waiting.push(resolve);
        signal?.addEventListener("abort", () => reject(signal.reason as Error));
      });
    }
    this.#held.add(name);
    await callback({ name });
  }

  hold(name: string): void {
    this.#held.add(name);
  }

  letGo(): void {
    this.#held.clear();
    for (const retry of this.#waiting.splice(0)) {
      retry();
    }
  }
}
