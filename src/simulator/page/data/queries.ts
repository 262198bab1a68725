import { queryOptions, type QueryClient } from '@tanstack/react-query'
import type { SimulatorEvent } from '#simulator/control-views.ts'
import { simulatorApi } from './api.ts'
import { isNewFromCompany, reduceChat, reduceLog, reduceState } from './reduce-event.ts'

/** Events that arrived while a query was being fetched; its response may be older. */
const buffers = new Map<string, SimulatorEvent[]>()

function bufferEvent(name: string, event: SimulatorEvent) {
  return buffers.get(name)?.push(event)
}

async function loadAndReplay<Data>(
  name: string,
  load: () => Promise<Data>,
  reduce: (data: Data, event: SimulatorEvent) => Data,
  isStale: (data: Data, event: SimulatorEvent) => boolean = () => false,
): Promise<Data> {
  const buffered: SimulatorEvent[] = []
  buffers.set(name, buffered)
  try {
    const data = await load()
    const isOutdated = buffered.some((event) => isStale(data, event))
    return isOutdated ? await loadAndReplay(name, load, reduce, isStale) : buffered.reduce(reduce, data)
  } finally {
    if (buffers.get(name) === buffered) buffers.delete(name)
  }
}

const recountMs = 1500
function chatName(phoneId: string) {
  return `chat ${phoneId}`
}

export const simulatorQueries = {
  state: () =>
    queryOptions({
      queryKey: ['state'],
      queryFn: () => loadAndReplay('state', simulatorApi.state, reduceState),
      // The stream publishes the counters before the last acceptance is counted.
      refetchInterval: ({ state: { data } }) =>
        data && data.counters.written !== data.counters.accepted ? recountMs : false,
    }),
  chat: (phoneId: string) =>
    queryOptions({
      queryKey: ['chat', phoneId],
      queryFn: () =>
        loadAndReplay(chatName(phoneId), () => simulatorApi.chat(phoneId), reduceChat, isNewFromCompany),
    }),
  log: () =>
    queryOptions({
      queryKey: ['log'],
      queryFn: () => loadAndReplay('log', simulatorApi.log, reduceLog),
    }),
}

/** Applies an event of the stream to the query cache. */
export function applyEvent(client: QueryClient, event: SimulatorEvent): void {
  const { state, chat, log } = simulatorQueries
  bufferEvent('state', event)
  bufferEvent('log', event)
  client.setQueryData(state().queryKey, (old) =>
    old ? reduceState(old, event) : event.type === 'state' ? event.state : old,
  )
  client.setQueryData(log().queryKey, (old) => old && reduceLog(old, event))
  // The stream was restarted: events from before it are missing.
  if (event.type === 'state') {
    void client.invalidateQueries({ queryKey: ['chat'] })
    void client.invalidateQueries({ queryKey: ['log'] })
  }
  if (event.type !== 'message') return
  const { phoneId } = event.message
  bufferEvent(chatName(phoneId), event)
  const { queryKey } = chat(phoneId)
  const known = client.getQueryData(queryKey)
  if (!known) return
  if (isNewFromCompany(known, event)) void client.invalidateQueries({ queryKey })
  else client.setQueryData(queryKey, reduceChat(known, event))
}
