import type { Result } from './scenario.ts'
import type { Memory, WatchedProgram } from './watched-program.ts'

const mostGrowth = 1.1

export const formatMemory = ({ rss, heap }: Memory): string =>
  `${rss.toFixed(0)} MiB (heap ${heap.toFixed(0)})`

/** That a program has neither ended nor met an error that nothing handled. */
export function runsOn({ seen: { unhandled, exits } }: WatchedProgram): Result {
  return {
    property: 'the program runs on, with no unhandled error',
    checked: 1,
    faults: [
      ...(unhandled > 0 ? [`${unhandled} unhandled errors`] : []),
      ...(exits > 0 ? [`the program ended ${exits} times`] : []),
    ],
  }
}

/** That memory has hardly grown since the program was warm. */
export function growsLittle(memory: readonly Memory[], print: (line: string) => void): Result {
  const growth = (memory.at(-1)?.rss ?? 0) / (memory[0]?.rss ?? 1)
  const growthLine = `× ${growth.toFixed(3)} (limit ${mostGrowth})`
  print(`memory at the end ÷ warmed up: ${growthLine}`)
  return {
    property: 'memory grows by a tenth at most',
    checked: memory.length,
    faults: growth <= mostGrowth ? [] : [growthLine],
  }
}

/** Prints how often each status was answered. */
export function printStatuses(statuses: ReadonlyMap<string, number>, print: (line: string) => void): void {
  for (const [status, n] of [...statuses].toSorted(([a], [b]) => a.localeCompare(b)))
    print(`  ${status}: ${n}`)
}
