import type { ErrorCode } from '#shared/refusals.ts'
import { fieldName, settingName } from '#shared/text/audit/field-texts.ts'
import { type Changes, listed, textsIn, type Sentences } from '#shared/text/audit/telling.ts'

/** The nouns of its acts, as the audit log is filtered by them, and what each is about. */
export const groups = {
  gateway: { name: 'Conexão do WhatsApp', place: 110, about: 'gateway' },
} as const

/**
 * What its acts are about, and what stands instead of the name of what is gone. Stored with every row, so a
 * key never changes.
 */
export const resources = {
  gateway: { name: 'Conexão', gone: 'conexão' },
} as const

/** A person's address of the gateway and where it sends what arrives; the hosts only, see `auditedUrl`. */
export interface Destinations {
  instanceName: string
  baseUrl: string
  webhookUrl: string | null
}

/**
 * The details of each act: ids, codes, counts and values of no person. Without secrets, passwords, codes and
 * message texts.
 */
export interface Details {
  'gateway.create': Destinations
  'gateway.update': Destinations & { changes: Changes; isKeyChanged: boolean }
  /** What of a number is its own, and what is again the installation's. */
  'gateway.settings': { instanceName: string; version: number; names: string[]; changes: Changes }
  'gateway.delete': { instanceName: string }
  'gateway.test': { baseUrl: string; success: boolean }
  'gateway.webhook': { instanceName: string; url: string }
  'gateway.connect': { instanceName: string; isCreated: boolean; isByNumber: boolean }
  'gateway.restart': { instanceName: string }
  'gateway.logout': { instanceName: string }
  /** The causes that an examination has found. */
  'gateway.examine': { faults: string[] }
  /** Events that could not be read, and are read again. */
  'gateway.retry': { count: number }
  'gateway.refused': { attempt: string; reason: ErrorCode } & Partial<Destinations & { url: string }>
}

const gatewayWords: Readonly<Record<string, string>> = {
  create: 'cadastrar a conexão',
  update: 'mudar a conexão',
  test: 'testar a conexão com',
  webhook: 'instalar o webhook de',
  connect: 'conectar o número',
  restart: 'reconectar o número',
  logout: 'sair do WhatsApp no número',
}

const faultWords = (count: number) =>
  count === 0 ? 'nada com problema' : count === 1 ? '1 problema' : `${count} problemas`

const eventWords = (count: number) => (count === 1 ? '1 evento' : `${count} eventos`)

const gatewayRefused: Sentences<Details>['gateway.refused'] = ({ details }) => [
  `tentou ${gatewayWords[details.attempt ?? ''] ?? 'usar a conexão'} `,
  { name: details.instanceName ?? details.baseUrl ?? '' },
]

const gatewayUpdate: Sentences<Details>['gateway.update'] = ({ details }) => {
  const fields = [
    ...Object.keys(details.changes ?? {}).map((field) => fieldName(field).toLowerCase()),
    ...(details.isKeyChanged ? ['chave da API'] : []),
  ]
  return [
    'mudou a conexão ',
    { name: details.instanceName ?? '' },
    fields.length > 0 ? `: ${listed(fields)}` : '',
  ]
}

const gatewaySettings: Sentences<Details>['gateway.settings'] = ({ details }) => {
  const names = textsIn(details.names).map((name) => settingName(name) ?? name)
  return [
    'mudou o que é próprio do número ',
    { name: details.instanceName ?? '' },
    names.length > 0 ? `: ${listed(names)}` : '',
  ]
}

/** What each act says, without its subject. */
export const sentences: Sentences<Details> = {
  'gateway.create': ({ details }) => ['cadastrou a conexão ', { name: details.instanceName ?? '' }],
  'gateway.update': gatewayUpdate,
  'gateway.settings': gatewaySettings,
  'gateway.delete': ({ details }) => ['excluiu o número ', { name: details.instanceName ?? '' }],
  'gateway.test': ({ details }) => [
    'testou a conexão com ',
    { name: details.baseUrl ?? '' },
    details.success === true ? ': respondeu' : ': não respondeu',
  ],
  'gateway.webhook': ({ details }) => ['instalou o webhook de ', { name: details.instanceName ?? '' }],
  'gateway.connect': ({ details }) => [
    details.isCreated === true
      ? 'criou a instância e pediu um código para '
      : 'pediu um código para conectar ',
    { name: details.instanceName ?? '' },
    details.isByNumber === true ? ' pelo número do celular' : '',
  ],
  'gateway.restart': ({ details }) => ['reconectou o número ', { name: details.instanceName ?? '' }],
  'gateway.logout': ({ details }) => ['saiu do WhatsApp no número ', { name: details.instanceName ?? '' }],
  'gateway.examine': ({ details }) => ['conferiu a instalação: ', faultWords(details.faults?.length ?? 0)],
  'gateway.retry': ({ details }) => [`mandou ler de novo ${eventWords(details.count ?? 0)} do gateway`],
  'gateway.refused': gatewayRefused,
}
