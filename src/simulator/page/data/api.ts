import type {
  By,
  ContactSync,
  Elsewhere,
  Encoding,
  FaultsPatch,
  Faults,
  NewPhone,
  PhoneCall,
  PhoneMessage,
  PhonePatch,
  Pin,
  Reaction,
  Typing,
  Vote,
} from '#simulator/control-api.ts'
import type { CallView, ChatMessage, LogLine, PhoneView, SimulatorState } from '#simulator/control-views.ts'

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
    // A proxy in between may answer with a body of its own.
    return undefined
  }
}

function phone(id: string) {
  return `/phones/${encodeURIComponent(id)}`
}
function message(id: string, messageId: string) {
  return `${phone(id)}/messages/${encodeURIComponent(messageId)}`
}

/** The methods of the control API. They throw an Error with the simulator's Portuguese message. */
export const simulatorApi = {
  state: () => call<SimulatorState>('GET', '/state'),
  log: () => call<LogLine[]>('GET', '/log'),
  clearLog: () => call<void>('DELETE', '/log'),
  setFaults: (patch: FaultsPatch) => call<Faults>('PATCH', '/faults', patch),
  chat: (id: string) => call<ChatMessage[]>('GET', `${phone(id)}/chat`),
  createPhone: (body: NewPhone) => call<PhoneView>('POST', '/phones', body),
  changePhone: (id: string, patch: PhonePatch) => call<PhoneView>('PATCH', phone(id), patch),
  /** `by: 'owner'`, here and below: on the company's own phone. */
  send: (id: string, body: PhoneMessage, by: By = 'phone') =>
    call<ChatMessage>('POST', `${phone(id)}/${by === 'owner' ? 'owner-messages' : 'messages'}`, body),
  react: (id: string, body: Reaction) => call<ChatMessage>('POST', `${phone(id)}/reactions`, body),
  edit: (id: string, messageId: string, text: string, by: By) =>
    call<ChatMessage>('PATCH', message(id, messageId), { text, by }),
  remove: (id: string, messageId: string, by: By) =>
    call<ChatMessage>('DELETE', `${message(id, messageId)}?by=${by}`),
  vote: (id: string, body: Vote) => call<ChatMessage>('POST', `${phone(id)}/votes`, body),
  pin: (id: string, body: Pin) => call<ChatMessage>('POST', `${phone(id)}/pins`, body),
  call: (id: string, body: PhoneCall) => call<CallView>('POST', `${phone(id)}/calls`, body),
  sendElsewhere: (id: string, body: Elsewhere) => call<void>('POST', `${phone(id)}/elsewhere`, body),
  syncHistory: (id: string) => call<void>('POST', `${phone(id)}/history-sync`, {}),
  syncContacts: (body: ContactSync) => call<void>('POST', '/contact-sync', body),
  setVersion: (version: Encoding) => call<{ version: Encoding }>('PUT', '/version', { version }),
  played: (id: string, messageId: string) => call<void>('POST', `${message(id, messageId)}/played`),
  typing: (id: string, state: Typing['state']) => call<void>('POST', `${phone(id)}/typing`, { state }),
  open: (id: string) => call<void>('POST', `${phone(id)}/open`),
}
