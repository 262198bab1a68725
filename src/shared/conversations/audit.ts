import { priorityLabels } from '#shared/text/text.ts'
import { type Changes, heldBy, labelIn, pairIn, plural, type Sentences } from '#shared/text/audit/telling.ts'

/** The nouns of its acts, as the audit log is filtered by them, and what each is about. */
export const groups = {
  conversation: { name: 'Conversas', place: 50, about: 'conversation' },
} as const

/**
 * What its acts are about, and what stands instead of the name of what is gone. Stored with every row, so a
 * key never changes.
 */
export const resources = {
  conversation: { name: 'Conversa', gone: 'um contato que não existe mais' },
} as const

/**
 * The details of each act: ids, codes, counts and values of no person. Without secrets, passwords, codes and
 * message texts.
 */
export interface Details {
  'conversation.read': { contactId: number; assignedUserId: number | null }
  'conversation.export': { contactId: number; format: 'html' | 'text'; messages: number; withNotes?: true }
  'conversation.start': { contactId: number }
  'conversation.take': { by: 'reply' }
  'conversation.assign': { to: number; from: number | null }
  'conversation.unassign': { from: number | null }
  'conversation.transfer': { to: number; from: number | null }
  /** The names of the sectors; null: none. `holder`: who had it. */
  'conversation.move': { to: string | null; from: string | null; holder: number | null }
  'conversation.distribute': {
    to: number
    active: number
    waiting: number
    capacity: number
    among: number
  }
  'conversation.auto_close': { changes: Changes<'disableAutoClose'> }
  'conversation.priority': { changes: Changes<'priority'> }
  /** `until`: when it is to return; `from`: when it was to, if it was on hold already. */
  'conversation.snooze': { until: string; from: string | null }
  'conversation.resume': { until: string }
  /** `reason`: by its name; absent: none was chosen. */
  'conversation.finalize': { assignedUserId: number | null; reason?: string }
  'conversation.auto_finalize': { assignedUserId: number | null }
  /** Its end was undone; by the product: the client wrote before they were told of it. */
  'conversation.reopen': { assignedUserId: number | null }
  'conversation.delete': {
    protocol: string
    contactId: number
    assignedUserId: number | null
    status: string
    messageCount: number
  }
  'conversation.assistant': { changes: Changes<'isOff'> }
  /** `messages`: how many the server was shown. */
  'conversation.summarize': { messages: number }
  'conversation.suggest': { messages: number }
  'conversation.transcribe': { messageId: number }
}

const assign: Sentences<Details>['conversation.assign'] = (facts) =>
  facts.details.to === facts.row.actor.id
    ? ['assumiu a conversa de ', facts.about, heldBy(facts, facts.details.from, 'que era de')]
    : [
        'atribuiu a conversa de ',
        facts.about,
        ` a ${facts.nameOf(facts.details.to)}`,
        heldBy(facts, facts.details.from, 'que era de'),
      ]

/** What each act says, without its subject. */
export const sentences: Sentences<Details> = {
  'conversation.read': (facts) => [
    'leu a conversa finalizada de ',
    facts.about,
    heldBy(facts, facts.details.assignedUserId, 'atendida por'),
  ],
  'conversation.export': ({ details, about }) => [
    'exportou a conversa de ',
    about,
    details.withNotes ? ', com as notas internas' : '',
  ],
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
  'conversation.move': (facts) => [
    'passou a conversa de ',
    facts.about,
    facts.details.to === null ? ' a nenhum setor' : ` ao setor ${facts.details.to ?? ''}`,
    heldBy(facts, facts.details.holder, 'que era de'),
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
  'conversation.snooze': ({ details, about }) => [
    details.from === null ? 'deixou em espera a conversa de ' : 'mudou a espera da conversa de ',
    about,
  ],
  'conversation.resume': ({ about }) => ['retomou a conversa em espera de ', about],
  'conversation.finalize': (facts) => [
    'finalizou a conversa de ',
    facts.about,
    heldBy(facts, facts.details.assignedUserId, 'atendida por'),
    facts.details.reason === undefined ? '' : `, motivo ${facts.details.reason}`,
  ],
  'conversation.auto_finalize': (facts) => [
    'encerrou por inatividade a conversa de ',
    facts.about,
    heldBy(facts, facts.details.assignedUserId, 'atendida por'),
  ],
  'conversation.reopen': (facts) => [
    'desfez a finalização da conversa de ',
    facts.about,
    heldBy(facts, facts.details.assignedUserId, 'atendida por'),
  ],
  'conversation.delete': (facts) => [
    'excluiu a conversa de ',
    facts.about,
    `, com ${plural(facts.details.messageCount, 'mensagem', 'mensagens')}`,
    heldBy(facts, facts.details.assignedUserId, 'atendida por'),
  ],
  'conversation.assistant': ({ details, about }) => [
    pairIn(details.changes?.isOff)[1] === true ? 'desligou' : 'ligou',
    ' a IA na conversa de ',
    about,
  ],
  'conversation.summarize': ({ about }) => ['pediu à IA um resumo da conversa de ', about],
  'conversation.suggest': ({ about }) => ['pediu à IA uma resposta para a conversa de ', about],
  'conversation.transcribe': ({ about }) => ['pediu a transcrição de um áudio da conversa de ', about],
}
