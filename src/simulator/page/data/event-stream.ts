import type { SimulatorEvent } from '#simulator/control-views.ts'
import { apiPrefix } from './api.ts'

export type StreamStatus = 'connecting' | 'open' | 'lost'

const firstRetryMs = 500
const longestRetryMs = 5000

/** Subscribes to the simulator's events and reconnects until the returned function is called. */
export function listen(
  onEvent: (event: SimulatorEvent) => void,
  onStatus: (status: StreamStatus) => void,
): () => void {
  let source: EventSource | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let retryMs = firstRetryMs

  function open() {
    const current = new EventSource(`${apiPrefix}/events`)
    source = current
    current.addEventListener('open', () => {
      retryMs = firstRetryMs
      onStatus('open')
    })
    current.addEventListener('message', ({ data }) => onEvent(JSON.parse(String(data)) as SimulatorEvent))
    // EventSource gives up for good when the response is not a stream, as while the console restarts.
    current.addEventListener('error', () => {
      current.close()
      onStatus('lost')
      timer = setTimeout(open, retryMs)
      retryMs = Math.min(longestRetryMs, retryMs * 2)
    })
  }
  open()
  return () => {
    clearTimeout(timer)
    source?.close()
  }
}
