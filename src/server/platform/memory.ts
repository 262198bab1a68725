import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

type Collect = (options: { type: 'major'; flavor?: 'last-resort' }) => void

/** V8 offers its collector to JavaScript only by a flag. */
function exposedCollector(): Collect {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as Collect
  setFlagsFromString('--no-expose-gc')
  return collect
}

const collect = exposedCollector()

/**
 * Gives memory back to the system that is not used any more, such as the garbage of over 100 MB which loading
 * some hundred modules leaves: an idle process would keep it forever.
 */
export function returnMemory(): void {
  collect({ type: 'major', flavor: 'last-resort' })
}

/** Collects all garbage, buffers outside the heap too; takes some 40 ms. */
export function collectGarbage(): void {
  collect({ type: 'major' })
}

/** By how much the heap may grow from what is in use before V8 collects, in percent. */
const growthPercent = 50
/** Where new objects of a thread begin, which has few that stay. In the program the command says how much. */
const threadSemiSpaceMiB = 2

/**
 * From now on V8 collects more often, in small steps beside the program. By itself it lets the heap grow to
 * three times what is in use, and keeps that: a process of 170 MiB had 330 after a minute of work. Threads
 * that begin later take less.
 */
export function boundHeap(): void {
  setFlagsFromString(`--heap-growing-percent=${growthPercent}`)
  setFlagsFromString(`--max-semi-space-size=${threadSemiSpaceMiB}`)
}

const mebibyte = 1024 * 1024
/** A process that is larger when long work begins gives back first what it can, which takes some 100 ms. */
const largeMiB = 256
const growthMiB = 24

/**
 * For long work that makes much garbage: call what this returns often. It collects each time that the heap
 * has grown by `growthMiB`; on its own the heap would grow to several times what is in use, and keep it.
 */
export function heapKeeper(): () => void {
  let mostBytes: number | undefined
  return () => {
    if (mostBytes !== undefined && getHeapStatistics().used_heap_size < mostBytes) return
    if (mostBytes === undefined && process.memoryUsage.rss() > largeMiB * mebibyte) returnMemory()
    else collectGarbage()
    mostBytes = getHeapStatistics().used_heap_size + growthMiB * mebibyte
  }
}
