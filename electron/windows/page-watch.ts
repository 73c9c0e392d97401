/** Whether the page has come: that it was loaded says nothing of whether its script runs. */
export interface PageWatch {
  /** The page has said that its first screen is there. */
  arrived(): undefined;
  /** @returns false where it has not come by then */
  isThere(longest_ms: number): Promise<boolean>;
}

export function watchPage(): PageWatch {
  const { promise, resolve } = Promise.withResolvers<true>();
  return {
    arrived() {
      resolve(true);
      return undefined;
    },
    async isThere(longest_ms) {
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<false>((done) => {
        timer = setTimeout(() => done(false), longest_ms).unref();
      });
      const isThere = await Promise.race([promise, late]);
      clearTimeout(timer);
      return isThere;
    },
  };
}
