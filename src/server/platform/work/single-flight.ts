/** Calls that arrive while one is in progress share its result. */
export function singleFlight<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let running: Promise<Result> | undefined
  return () => (running ??= work().finally(() => (running = undefined)))
}
