import type { ChatMessage, LogLine, SimulatorEvent, SimulatorState } from '#simulator/control-views.ts'

/** Reducers of stream events. Pure; an event that does not concern the data returns it unchanged. */

const chatLimit = 200
const logLimit = 500

export function reduceState(state: SimulatorState, event: SimulatorEvent): SimulatorState {
  switch (event.type) {
    case 'state':
      return event.state
    case 'faults':
      return { ...state, faults: event.faults }
    case 'counters':
      return { ...state, counters: event.counters }
    case 'gateway':
      return event.gateway.instance === state.gateway.instance ? { ...state, gateway: event.gateway } : state
    case 'phone': {
      const { phone } = event
      const isKnown = state.phones.some(({ id }) => id === phone.id)
      const phones = isKnown
        ? state.phones.map((other) => (other.id === phone.id ? phone : other))
        : [...state.phones, phone]
      return { ...state, phones }
    }
    default:
      return state
  }
}

/**
 * A message of the company that the chat does not have: only the simulator knows whether it reached the
 * phone.
 */
export function isNewFromCompany(chat: ChatMessage[], event: SimulatorEvent): boolean {
  return (
    event.type === 'message' &&
    event.message.from === 'company' &&
    !chat.some(({ id }) => id === event.message.id)
  )
}

/** @param chat of the phone the message is on, oldest first */
export function reduceChat(chat: ChatMessage[], event: SimulatorEvent): ChatMessage[] {
  if (event.type !== 'message' || isNewFromCompany(chat, event)) return chat
  const { message } = event
  if (chat.some(({ id }) => id === message.id))
    return chat.map((other) => (other.id === message.id ? message : other))
  const [oldest] = chat
  // A change to a message older than those loaded.
  if (oldest && chat.length >= chatLimit && message.at < oldest.at) return chat
  return [...chat, message].toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at))
}

/** @param lines oldest first */
export function reduceLog(lines: LogLine[], event: SimulatorEvent): LogLine[] {
  if (event.type === 'log_cleared') return []
  if (event.type !== 'log' || lines.some(({ n }) => n === event.line.n)) return lines
  return [...lines, event.line].slice(-logLimit)
}
