import type { FaultName, Faults } from '#simulator/control-api.ts'

/** A setting of a fault. `oneIn`: one in how many; `ms`: milliseconds, entered in seconds. */
export type FaultField =
  | { kind: 'oneIn'; key: 'oneIn' }
  | { kind: 'ms'; key: 'ms' | 'holdMs' | 'hangMs'; label: string }
  | { kind: 'events'; key: 'events' }
  | { kind: 'flag'; key: 'delivered'; label: string }
  | { kind: 'choice'; key: 'echo' | 'state'; label: string; options: { value: string; label: string }[] }

export interface FaultInfo {
  name: FaultName
  title: string
  about: string
  fields: FaultField[]
}

const oneIn: FaultField = { kind: 'oneIn', key: 'oneIn' }
const events: FaultField = { kind: 'events', key: 'events' }
const echo: FaultField = {
  kind: 'choice',
  key: 'echo',
  label: 'Eco da mensagem enviada',
  options: [
    { value: 'early', label: 'Antes da resposta' },
    { value: 'late', label: 'Depois da resposta' },
    { value: 'never', label: 'Nunca chega' },
  ],
}
const state: FaultField = {
  kind: 'choice',
  key: 'state',
  label: 'Estado do número',
  options: [
    { value: 'close', label: 'Desconectado' },
    { value: 'connecting', label: 'Conectando' },
  ],
}

/** The faults in the order of the list; titles as in the log. */
export const faultInfos: FaultInfo[] = [
  {
    name: 'dropWebhook',
    title: 'Perder webhook',
    about: 'O aviso nunca chega ao console, que tem de notar a falta por conta própria.',
    fields: [oneIn, events],
  },
  {
    name: 'duplicateWebhook',
    title: 'Duplicar webhook',
    about: 'O mesmo aviso chega duas vezes.',
    fields: [oneIn, events],
  },
  {
    name: 'reorderWebhook',
    title: 'Trocar a ordem',
    about: 'Um aviso é segurado e chega depois dos que vieram após ele.',
    fields: [oneIn, { kind: 'ms', key: 'holdMs', label: 'Segurar por (segundos)' }, events],
  },
  {
    name: 'delayAcks',
    title: 'Atrasar confirmações',
    about: 'Entregue e lida são avisadas mais tarde.',
    fields: [{ kind: 'ms', key: 'ms', label: 'Atraso (segundos)' }],
  },
  {
    name: 'answer500',
    title: 'Responder 500',
    about: 'O envio do console recebe um erro do gateway.',
    fields: [oneIn, { kind: 'flag', key: 'delivered', label: 'A mensagem chega mesmo assim' }, echo],
  },
  {
    name: 'timeoutDelivered',
    title: 'Demora, entregue',
    about: 'O gateway não responde a tempo, mas a mensagem chega ao cliente.',
    fields: [oneIn, { kind: 'ms', key: 'hangMs', label: 'Demora (segundos)' }, echo],
  },
  {
    name: 'timeoutNotDelivered',
    title: 'Demora, não entregue',
    about: 'O gateway não responde a tempo, e a mensagem não chega ao cliente.',
    fields: [oneIn, { kind: 'ms', key: 'hangMs', label: 'Demora (segundos)' }],
  },
  {
    name: 'failMedia',
    title: 'Perder mídia',
    about: 'Fotos e áudios não podem ser baixados do gateway.',
    fields: [oneIn],
  },
  {
    name: 'disconnect',
    title: 'Desconectar o número',
    about: 'O número da empresa cai; o que os clientes escrevem espera até ele voltar.',
    fields: [state],
  },
  {
    name: 'lidOnly',
    title: 'Somente LID',
    about: 'Nenhum celular mostra seu número: só o LID.',
    fields: [],
  },
]

/** The webhook events to choose from. */
export const webhookEvents = [
  'messages.upsert',
  'messages.update',
  'messages.edited',
  'messages.delete',
  'send.message',
  'send.message.update',
  'messages.set',
  'chats.upsert',
  'contacts.upsert',
  'call',
  'presence.update',
  'connection.update',
]

function seconds(ms: number) {
  return (ms / 1000).toLocaleString('pt-BR', { maximumFractionDigits: 1 })
}

/** '1 em 5', '4 s'; empty when there is nothing to show. */
export function faultStrength(name: FaultName, faults: Faults): string {
  const fault = faults[name]
  if ('oneIn' in fault) return `1 em ${fault.oneIn}`
  return 'ms' in fault ? `${seconds(fault.ms)} s` : ''
}
