import type { LogLine, SimulatorEvent } from '#simulator/control-views.ts'

const ringSize = 500

/** The page's view of events: a ring of the last log lines and a stream of changes. In memory only. */
export interface Feed {
  /** Adds a line to the log and publishes it. */
  line(kind: LogLine['kind'], name: string, detail: string, result: string): void
  lines(): LogLine[]
  clear(): void
  publish(event: SimulatorEvent): void
  /** False while nobody watches: building views for nobody would cost time under load. */
  isWatched(): boolean
  watch(listener: (event: SimulatorEvent) => void): () => void
}

export function createFeed(now: () => number, log: ((line: string) => void) | undefined): Feed {
  const listeners = new Set<(event: SimulatorEvent) => void>()
  let ring: LogLine[] = []
  let count = 0
  const publish: Feed['publish'] = (event) => {
    for (const listener of listeners) listener(event)
  }
  return {
    line: (kind, name, detail, result) => {
      count += 1
      const line: LogLine = { n: count, at: new Date(now()).toISOString(), kind, name, detail, result }
      ring.push(line)
      if (ring.length > ringSize * 2) ring = ring.slice(-ringSize)
      log?.(`${line.at} ${kind} ${name} ${detail} ${result}`)
      publish({ type: 'log', line })
    },
    lines: () => ring.slice(-ringSize),
    clear: () => {
      ring = []
      publish({ type: 'log_cleared' })
    },
    publish,
    isWatched: () => listeners.size > 0,
    watch: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
