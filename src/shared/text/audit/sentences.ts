import {
  type AuditAction,
  auditActions,
  type Changes,
  type DetailsOf,
  type PersonalOf,
} from '#shared/audit/audit-actions.ts'
import type { AuditLog } from '#shared/audit/audit-logs.ts'
import { errorTexts, priorityLabels, roleLabels } from '#shared/text/text.ts'
import { attemptText } from './call-texts.ts'
import { fieldName, settingName } from './field-texts.ts'
import { goneWords } from './names.ts'

/** A piece of a sentence: a text, or what it is about. */
export type Piece = string | { name: string }

/** A row as its sentence sees it. Rows of earlier versions may lack any detail. */
interface Told<Action extends AuditAction> {
  row: AuditLog
  details: Partial<DetailsOf<Action>>
  personal: Partial<PersonalOf<Action>>
  /** What it is about, or words for what is gone. */
  about: Piece
  /** The name of a user. */
  nameOf: (userId: unknown) => string
}

type Teller<Action extends AuditAction> = (told: Told<Action>) => Piece[]

// The rows come from a table in which somebody may have written by hand: nothing odd in them may throw.

function plural(count: unknown, one: string, many: string): string {
  const number = typeof count === 'number' ? count : 0
  return number === 1 ? `1 ${one}` : `${number.toLocaleString('pt-BR')} ${many}`
}

const roleOf = (role: unknown) => labelIn(roleLabels, role)
function labelIn(labels: Readonly<Record<string, string>>, value: unknown): string {
  return typeof value === 'string' ? (labels[value] ?? value) : '?'
}

const textsIn = (list: unknown): string[] =>
  Array.isArray(list) ? list.filter((one) => typeof one === 'string') : []

/** Before and after, of a field that may have another form. */
const pairIn = (change: unknown): readonly unknown[] => (Array.isArray(change) ? change : [])

/** 'nome, telefone e email' */
function listed(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} e ${words.at(-1)}`
}

const fieldsIn = (...changes: (Changes | undefined)[]) =>
  listed(changes.flatMap((some) => Object.keys(some ?? {}).map((field) => fieldName(field).toLowerCase())))

function freedText(freed: number | undefined): string {
  if (!freed) return ''
  return freed === 1 ? '; 1 conversa voltou para a fila' : `; ${freed} conversas voltaram para a fila`
}

/** ', atendida por Ana', unless it was the person who acted, or nobody. */
function heldBy({ row, nameOf }: Told<AuditAction>, holder: unknown, words: string): string {
  return holder === null || holder === undefined || holder === row.actor.id
    ? ''
    : `, ${words} ${nameOf(holder)}`
}

const userUpdate: Teller<'user.update'> = ({ details, personal, about }) => {
  const { role, isActive, ...others } = details.changes ?? {}
  if (role)
    return ['mudou o perfil de ', about, ` de ${roleOf(pairIn(role)[0])} para ${roleOf(pairIn(role)[1])}`]
  if (isActive)
    return [
      `${pairIn(isActive)[1] === true ? 'ativou' : 'desativou'} a conta de `,
      about,
      freedText(details.freed),
    ]
  const fields = fieldsIn(others, personal.changes)
  if (fields === '' && details.isPasswordChanged) return ['deu outra senha a ', about]
  const password = details.isPasswordChanged ? ', e deu outra senha' : ''
  return ['mudou a conta de ', about, fields === '' ? '' : `: ${fields}`, password]
}

const permissionsUpdate: Teller<'permissions.update'> = ({ details, about }) => {
  const changes = Object.values(details.changes ?? {})
  const on = changes.filter((change) => pairIn(change)[1] === true).length
  const counts = [
    ...(on > 0 ? [plural(on, 'ligada', 'ligadas')] : []),
    ...(changes.length > on ? [plural(changes.length - on, 'desligada', 'desligadas')] : []),
  ]
  return ['mudou as permissões de ', about, counts.length > 0 ? `: ${listed(counts)}` : '']
}

const loginFailed: Teller<'auth.login_failed'> = ({ details, personal, row }) => {
  const typed = row.isErased
    ? 'nome apagado'
    : personal.typed === undefined
      ? 'um nome que não se guarda'
      : `"${personal.typed}"`
  const { reason, attempt, isLoginLocked } = details
  const why = isLoginLocked
    ? ': terceira senha errada, a conta recusa novas entradas'
    : reason === 'auth.too_many_attempts'
      ? ': tentativas demais deste endereço'
      : attempt === undefined && reason !== undefined
        ? ': a conta recusa novas entradas'
        : ''
  return ['tentativa de login recusada para ', { name: typed }, why]
}

const gatewayWords: Readonly<Record<string, string>> = {
  create: 'cadastrar a conexão',
  update: 'mudar a conexão',
  test: 'testar a conexão com',
  webhook: 'instalar o webhook de',
}

const gatewayRefused: Teller<'gateway.refused'> = ({ details }) => [
  `tentou ${gatewayWords[details.attempt ?? ''] ?? 'usar a conexão'} `,
  { name: details.instanceName ?? details.baseUrl ?? '' },
]

const gatewayUpdate: Teller<'gateway.update'> = ({ details }) => {
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

const settingsChange: Teller<'settings.change'> = ({ details }) => {
  const names = textsIn(details.names).map((name) => settingName(name) ?? name)
  const [first = ''] = names
  return names.length < 2
    ? ['mudou a configuração ', { name: first }]
    : ['mudou ', { name: plural(names.length, 'configuração', 'configurações') }, `: ${listed(names)}`]
}

const assign: Teller<'conversation.assign'> = (told) =>
  told.details.to === told.row.actor.id
    ? ['assumiu a conversa de ', told.about, heldBy(told, told.details.from, 'que era de')]
    : [
        'atribuiu a conversa de ',
        told.about,
        ` a ${told.nameOf(told.details.to)}`,
        heldBy(told, told.details.from, 'que era de'),
      ]

/** What each act says, without its subject. */
const tellers: { [Action in AuditAction]: Teller<Action> } = {
  'auth.login': () => ['entrou'],
  'auth.login_failed': loginFailed,
  'auth.logout': () => ['saiu'],
  'auth.other_user': ({ about }) => ['disse ser ', about, ' ao abrir a conexão em tempo real'],
  'user.first_admin': ({ about }) => ['criou a conta do primeiro administrador, ', about],
  'user.create': ({ details, about }) => ['criou a conta de ', about, `, ${roleOf(details.role)}`],
  'user.update': userUpdate,
  'user.block': ({ details, about }) => ['bloqueou ', about, freedText(details.freed)],
  'user.unblock': ({ about }) => ['desbloqueou ', about],
  'user.delete': ({ details, about }) => ['excluiu a conta de ', about, freedText(details.freed)],
  'user.reset_password': ({ about }) => ['deu outra senha a ', about],
  'permissions.update': permissionsUpdate,
  'access.denied': ({ details }) => {
    const { verb, area } = attemptText(details.call ?? '')
    return [`tentou ${verb} `, { name: area }, ' sem permissão']
  },
  'conversation.read': (told) => [
    'leu a conversa finalizada de ',
    told.about,
    heldBy(told, told.details.assignedUserId, 'atendida por'),
  ],
  'conversation.start': ({ about }) => ['começou uma conversa com ', about],
  'conversation.take': ({ about }) => ['assumiu a conversa de ', about, ' ao responder'],
  'conversation.assign': assign,
  'conversation.unassign': (told) => [
    'devolveu à fila a conversa de ',
    told.about,
    heldBy(told, told.details.from, 'que era de'),
  ],
  'conversation.transfer': (told) => [
    'transferiu a conversa de ',
    told.about,
    ` para ${told.nameOf(told.details.to)}`,
    heldBy(told, told.details.from, 'que era de'),
  ],
  'conversation.distribute': ({ details, about, nameOf }) => [
    'distribuiu a conversa de ',
    about,
    ` para ${nameOf(details.to)}`,
  ],
  'conversation.auto_close': ({ details, about }) => [
    pairIn(details.changes?.disableAutoClose)[1] === true ? 'desativou' : 'ativou',
    ' o fechamento automático da conversa de ',
    about,
  ],
  'conversation.priority': ({ details, about }) => {
    const [before, after] = pairIn(details.changes?.priority)
    const words = ` de ${labelIn(priorityLabels, before)} para ${labelIn(priorityLabels, after)}`
    return ['mudou a prioridade da conversa de ', about, words]
  },
  'conversation.finalize': (told) => [
    'finalizou a conversa de ',
    told.about,
    heldBy(told, told.details.assignedUserId, 'atendida por'),
  ],
  'conversation.auto_finalize': (told) => [
    'encerrou por inatividade a conversa de ',
    told.about,
    heldBy(told, told.details.assignedUserId, 'atendida por'),
  ],
  'conversation.delete': (told) => [
    'excluiu a conversa de ',
    told.about,
    `, com ${plural(told.details.messageCount, 'mensagem', 'mensagens')}`,
    heldBy(told, told.details.assignedUserId, 'atendida por'),
  ],
  'message.edit': ({ about }) => ['editou uma mensagem na conversa de ', about],
  'message.delete': ({ about }) => ['apagou uma mensagem na conversa de ', about],
  'message.undo': ({ about }) => ['desfez um envio na conversa de ', about],
  'contact.create': ({ about }) => ['cadastrou o contato ', about],
  'contact.change': ({ details, about }) => [
    'mudou o contato ',
    about,
    `: ${listed(textsIn(details.fields).map((field) => fieldName(field).toLowerCase()))}`,
  ],
  'contact.merge': ({ about }) => ['juntou dois cadastros do contato ', about],
  'company.create': ({ details, about }) => [
    'cadastrou a empresa ',
    details.name === undefined ? about : { name: details.name },
  ],
  'settings.change': settingsChange,
  'gateway.create': ({ details }) => ['cadastrou a conexão ', { name: details.instanceName ?? '' }],
  'gateway.update': gatewayUpdate,
  'gateway.test': ({ details }) => [
    'testou a conexão com ',
    { name: details.baseUrl ?? '' },
    details.success === true ? ': respondeu' : ': não respondeu',
  ],
  'gateway.webhook': ({ details }) => ['instalou o webhook de ', { name: details.instanceName ?? '' }],
  'gateway.refused': gatewayRefused,
  'audit.export': ({ details }) => [
    'exportou ',
    { name: plural(details.rows, 'registro', 'registros') },
    ' da auditoria',
  ],
  'audit.erase': ({ details }) => [
    'apagou os dados pessoais de ',
    { name: plural(pairIn(details.rows).length, 'registro', 'registros') },
    ' da auditoria',
  ],
}

const isAction = (action: string): action is AuditAction => Object.hasOwn(auditActions, action)

/** What somebody did, without the subject: `mudou o perfil de`, { Bruno }, ` de Operador para Supervisor`. */
export function predicateOf(row: AuditLog, nameOf: (userId: unknown) => string): Piece[] {
  const { action, resource } = row
  const about = resource.name === null ? goneWords[resource.type] : { name: resource.name }
  return isAction(action) ? tell(action, row, about, nameOf) : [action]
}

function tell<Action extends AuditAction>(
  action: Action,
  row: AuditLog,
  about: Piece,
  nameOf: (userId: unknown) => string,
): Piece[] {
  // What `record` stored for the action, which checks it.
  const details = row.details as Partial<DetailsOf<Action>>
  const personal = row.personal as Partial<PersonalOf<Action>>
  const pieces = tellers[action]({ row, details, personal, about, nameOf })
  return row.repeats > 1 && row.outcome === 'refused' ? [...pieces, `, ${row.repeats} vezes`] : pieces
}

const kindNames = { stranger: 'Sem login', command: 'Linha de comando', system: 'Sistema' } as const

/** Who acted, by the name of that time. */
export function subjectOf({ actor, isErased }: AuditLog, nameOf: (userId: unknown) => string): string {
  if (actor.kind !== 'person') return kindNames[actor.kind]
  return actor.name ?? (isErased ? 'Nome apagado' : nameOf(actor.id))
}

/** The whole sentence: 'Marina mudou o perfil de Bruno de Operador para Supervisor'. */
export function sentenceOf(row: AuditLog, nameOf: (userId: unknown) => string): string {
  const predicate = predicateOf(row, nameOf)
    .map((piece) => (typeof piece === 'string' ? piece : piece.name))
    .join('')
  if (row.actor.kind !== 'stranger') return `${subjectOf(row, nameOf)} ${predicate}`
  const words = `${predicate.charAt(0).toUpperCase()}${predicate.slice(1)}`
  return row.address === null ? words : `${words} (${row.address})`
}

/** Why something was refused; undefined for what was done. */
export function reasonOf(row: AuditLog): string | undefined {
  const { reason } = row.details
  if (row.outcome === 'done' || typeof reason !== 'string') return undefined
  return Object.hasOwn(errorTexts, reason) ? errorTexts[reason as keyof typeof errorTexts] : reason
}
