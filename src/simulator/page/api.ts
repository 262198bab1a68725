import type {
  FaultsPatch,
  Faults,
  NewPhone,
  PhoneMessage,
  PhonePatch,
  Reaction,
  Typing,
} from '#simulator/control-api.ts'
import type { ChatMessage, LogLine, PhoneView, SimulatorState } from '#simulator/control-views.ts'

/** Where the console mounts the simulator's control API. */
export const apiPrefix = '/simulador/api'

async function call<Reply>(method: string, path: string, body?: unknown): Promise<Reply> {
  const response = await fetch(`${apiPrefix}${path}`, {
    method,
    ...(body !== undefined && {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  })
  const text = await response.text()
  if (response.ok) return (text === '' ? undefined : JSON.parse(text)) as Reply
  throw new Error(refusalIn(text) ?? `O simulador respondeu ${response.status}`)
}

function refusalIn(text: string): string | undefined {
  try {
    const { message } = JSON.parse(text) as { message?: unknown }
    return typeof message === 'string' ? message : undefined
  } catch {
    // A proxy between here and there answers in its own words.
    return undefined
  }
}

const phone = (id: string) => `/phones/${encodeURIComponent(id)}`
const message = (id: string, messageId: string) => `${phone(id)}/messages/${encodeURIComponent(messageId)}`

/** The control API's verbs. They throw an Error with the simulator's Portuguese words. */
export const simulatorApi = {
  state: () => call<SimulatorState>('GET', '/state'),
  log: () => call<LogLine[]>('GET', '/log'),
  clearLog: () => call<void>('DELETE', '/log'),
  setFaults: (patch: FaultsPatch) => call<Faults>('PATCH', '/faults', patch),
  chat: (id: string) => call<ChatMessage[]>('GET', `${phone(id)}/chat`),
  createPhone: (body: NewPhone) => call<PhoneView>('POST', '/phones', body),
  changePhone: (id: string, patch: PhonePatch) => call<PhoneView>('PATCH', phone(id), patch),
  send: (id: string, body: PhoneMessage) => call<ChatMessage>('POST', `${phone(id)}/messages`, body),
  react: (id: string, body: Reaction) => call<ChatMessage>('POST', `${phone(id)}/reactions`, body),
  edit: (id: string, messageId: string, text: string) =>
    call<ChatMessage>('PATCH', message(id, messageId), { text }),
  remove: (id: string, messageId: string) => call<ChatMessage>('DELETE', message(id, messageId)),
  played: (id: string, messageId: string) => call<void>('POST', `${message(id, messageId)}/played`),
  typing: (id: string, state: Typing['state']) => call<void>('POST', `${phone(id)}/typing`, { state }),
  open: (id: string) => call<void>('POST', `${phone(id)}/open`),
}
