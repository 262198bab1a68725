/**
 * Does something soon after it is wanted, and then at most once in a while, however often it is wanted: what comes
 * together is done together.
 * @param soonMs what comes within this time comes together
 */
export function spaced(
  work: () => void,
  { soonMs, everyMs }: { soonMs: number; everyMs: number },
): { want(): void; stop(): void } {
  let timer: NodeJS.Timeout | undefined
  let didAtMs = -Infinity
  let isStopped = false
  const run = () => {
    timer = undefined
    didAtMs = performance.now()
    work()
  }
  return {
    want() {
      if (isStopped) return
      timer ??= setTimeout(run, Math.max(soonMs, didAtMs + everyMs - performance.now())).unref()
    },
    stop() {
      isStopped = true
      clearTimeout(timer)
    },
  }
}
