import { type AuditAction, auditActions } from '#shared/audit/audit-actions.ts'
import type { DetailsOf, PersonalOf } from '#shared/audit/audit-details.ts'
import type { AuditLog } from '#shared/audit/audit-logs.ts'
import { priorityLabels } from '#shared/text/text.ts'
import { errorTexts } from '#shared/text/error-texts.ts'
import { attemptText } from './call-texts.ts'
import { accountSentences } from './account-sentences.ts'
import { fieldName, settingName } from './field-texts.ts'
import { importSentences } from './import-sentences.ts'
import { maintenanceSentences } from './maintenance-sentences.ts'
import { goneWords } from './names.ts'
import { heldBy, labelIn, listed, pairIn, type Piece, plural, type SentenceOf, textsIn } from './telling.ts'

export type { Piece } from './telling.ts'

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

const gatewayRefused: SentenceOf<'gateway.refused'> = ({ details }) => [
  `tentou ${gatewayWords[details.attempt ?? ''] ?? 'usar a conexão'} `,
  { name: details.instanceName ?? details.baseUrl ?? '' },
]

const gatewayUpdate: SentenceOf<'gateway.update'> = ({ details }) => {
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

const gatewaySettings: SentenceOf<'gateway.settings'> = ({ details }) => {
  const names = textsIn(details.names).map((name) => settingName(name) ?? name)
  return [
    'mudou o que é próprio do número ',
    { name: details.instanceName ?? '' },
    names.length > 0 ? `: ${listed(names)}` : '',
  ]
}

const assistantUpdate: SentenceOf<'assistant.update'> = ({ details }) => {
  const fields = [
    ...Object.keys(details.changes ?? {}).map((field) => fieldName(field).toLowerCase()),
    ...(details.isTokenChanged ? ['token da API'] : []),
    ...(details.isKeyChanged ? ['chave do servidor'] : []),
  ]
  return ['mudou a inteligência artificial', fields.length > 0 ? `: ${listed(fields)}` : '']
}

const settingsChange: SentenceOf<'settings.change'> = ({ details }) => {
  const names = textsIn(details.names).map((name) => settingName(name) ?? name)
  const [first = ''] = names
  return names.length < 2
    ? ['mudou a configuração ', { name: first }]
    : ['mudou ', { name: plural(names.length, 'configuração', 'configurações') }, `: ${listed(names)}`]
}

const assign: SentenceOf<'conversation.assign'> = (facts) =>
  facts.details.to === facts.row.actor.id
    ? ['assumiu a conversa de ', facts.about, heldBy(facts, facts.details.from, 'que era de')]
    : [
        'atribuiu a conversa de ',
        facts.about,
        ` a ${facts.nameOf(facts.details.to)}`,
        heldBy(facts, facts.details.from, 'que era de'),
      ]

/** What each act says, without its subject. */
const sentences: { [Action in AuditAction]: SentenceOf<Action> } = {
  ...accountSentences,
  'access.denied': ({ details }) => {
    const { verb, area } = attemptText(details.call ?? '')
    return [`tentou ${verb} `, { name: area }, ' sem permissão']
  },
  'conversation.read': (facts) => [
    'leu a conversa finalizada de ',
    facts.about,
    heldBy(facts, facts.details.assignedUserId, 'atendida por'),
  ],
  'conversation.export': ({ about }) => ['exportou a conversa de ', about],
  'conversation.start': ({ about }) => ['começou uma conversa com ', about],
  'conversation.take': ({ about }) => ['assumiu a conversa de ', about, ' ao responder'],
  'conversation.assign': assign,
  'conversation.unassign': (facts) => [
    'devolveu à fila a conversa de ',
    facts.about,
    heldBy(facts, facts.details.from, 'que era de'),
  ],
  'conversation.transfer': (facts) => [
    'transferiu a conversa de ',
    facts.about,
    ` para ${facts.nameOf(facts.details.to)}`,
    heldBy(facts, facts.details.from, 'que era de'),
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
  'conversation.assistant': ({ details, about }) => [
    pairIn(details.changes?.isOff)[1] === true ? 'desligou' : 'ligou',
    ' a IA na conversa de ',
    about,
  ],
  'conversation.summarize': ({ about }) => ['pediu à IA um resumo da conversa de ', about],
  'conversation.suggest': ({ about }) => ['pediu à IA uma resposta para a conversa de ', about],
  'conversation.finalize': (facts) => [
    'finalizou a conversa de ',
    facts.about,
    heldBy(facts, facts.details.assignedUserId, 'atendida por'),
  ],
  'conversation.auto_finalize': (facts) => [
    'encerrou por inatividade a conversa de ',
    facts.about,
    heldBy(facts, facts.details.assignedUserId, 'atendida por'),
  ],
  'conversation.delete': (facts) => [
    'excluiu a conversa de ',
    facts.about,
    `, com ${plural(facts.details.messageCount, 'mensagem', 'mensagens')}`,
    heldBy(facts, facts.details.assignedUserId, 'atendida por'),
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
  'contact.delete': ({ about }) => ['excluiu o contato ', about],
  'contact.restore': ({ about }) => ['desfez a exclusão do contato ', about],
  'contact.block': ({ about }) => ['bloqueou o contato ', about],
  'contact.unblock': ({ about }) => ['desbloqueou o contato ', about],
  'contact.personal_data': ({ about }) => ['exportou os dados pessoais do contato ', about],
  'contact.anonymize': ({ about }) => ['anonimizou o contato ', about],
  'contact.merge': ({ about }) => ['juntou dois cadastros do contato ', about],
  'contact.part': ({ about }) => ['desfez a junção de dois cadastros do contato ', about],
  'contact.distinct': ({ about }) => ['manteve separado de outro o contato ', about],
  ...importSentences,
  'category.create': ({ details, about }) => [
    'criou a categoria ',
    details.name === undefined ? about : { name: details.name },
  ],
  'category.change': ({ details, about }) => [
    'mudou a categoria ',
    details.name === undefined ? about : { name: details.name },
  ],
  'category.delete': ({ details, about }) => [
    'excluiu a categoria ',
    details.name === undefined ? about : { name: details.name },
    details.contacts ? `, que tinha ${plural(details.contacts, 'contato', 'contatos')}` : '',
  ],
  'company.create': ({ details, about }) => [
    'cadastrou a empresa ',
    details.name === undefined ? about : { name: details.name },
  ],
  'company.change': ({ details, about }) => [
    'mudou a empresa ',
    details.name === undefined ? about : { name: details.name },
  ],
  'company.delete': ({ details, about }) => [
    'excluiu a empresa ',
    details.name === undefined ? about : { name: details.name },
    details.contacts ? `, que tinha ${plural(details.contacts, 'contato', 'contatos')}` : '',
  ],
  'company.merge': ({ details, about }) => [
    'juntou a empresa ',
    { name: details.otherName ?? '' },
    ' em ',
    details.name === undefined ? about : { name: details.name },
  ],
  'company.distinct': ({ details, about }) => [
    'manteve separada de outra a empresa ',
    details.name === undefined ? about : { name: details.name },
  ],
  'settings.change': settingsChange,
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
  'gateway.refused': gatewayRefused,
  'assistant.update': assistantUpdate,
  'assistant.test': ({ details }) => [
    details.what === 'help' ? 'testou o servidor de IA ' : 'testou o agente de IA ',
    { name: details.server ?? '' },
    details.success === true ? ': respondeu' : ': não respondeu',
  ],
  'report.export': () => ['exportou um relatório'],
  ...maintenanceSentences,
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
  const pieces = sentences[action]({ row, details, personal, about, nameOf })
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
