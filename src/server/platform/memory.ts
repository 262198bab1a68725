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

const mebibyte = 1024 * 1024
/** A process that is larger when long work begins gives back first what it can, which takes some 100 ms. */
const largeMiB = 256

/**
 * For long work that makes much garbage: call what this returns often. It collects each time that the heap
 * has grown by so much; by itself the heap would grow to several times what is in use, and keep it.
 */
export function heapKeeper(growthMiB = 24): () => void {
  let mostBytes: number | undefined
  return () => {
    const isFirst = mostBytes === undefined
    if (mostBytes !== undefined && getHeapStatistics().used_heap_size < mostBytes) return
    if (isFirst && process.memoryUsage.rss() > largeMiB * mebibyte) returnMemory()
    else collectGarbage()
    mostBytes = getHeapStatistics().used_heap_size + growthMiB * mebibyte
  }
}
