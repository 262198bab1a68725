/**
 * Runs the work soon after it was requested, and at most once per period. Requests within the period share a
 * run.
 * @param soonMs requests within this time share one run
 */
export function throttle(
  work: () => void,
  { soonMs, everyMs }: { soonMs: number; everyMs: number },
): { want(): void; stop(): void } {
  let timer: NodeJS.Timeout | undefined
  let ranAtMs = -Infinity
  let isStopped = false

  function run(): void {
    timer = undefined
    ranAtMs = performance.now()
    work()
  }

  return {
    want() {
      if (isStopped) return
      timer ??= setTimeout(run, Math.max(soonMs, ranAtMs + everyMs - performance.now())).unref()
    },
    stop() {
      isStopped = true
      clearTimeout(timer)
    },
  }
}
