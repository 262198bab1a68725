import type { ScheduledMessage } from '#shared/scheduled/scheduled.ts'
import type { ScheduledReason } from '#shared/scheduled/states.ts'

const reasons: Readonly<Record<ScheduledReason, string>> = {
  answered: 'o cliente respondeu',
  by_person: 'cancelada pela equipe',
  contact_erased: 'o contato foi anonimizado',
  author_gone: 'quem agendou foi bloqueado ou excluído: alguém precisa decidir',
  author_not_allowed: 'quem agendou não tem mais permissão para enviar',
  out_of_reach: 'a conversa saiu do alcance de quem agendou',
  contact_blocked: 'o contato está bloqueado',
  contact_gone: 'o contato não existe mais',
  number_off: 'o número está desativado',
  never_open: 'o horário de atendimento não tem próxima abertura',
  no_value: 'um campo do texto não tem valor nesta conversa',
}

/** Why a message was cancelled, or not sent; '' for one that waits or was sent. */
export function reasonText({ reason, endedBy }: Pick<ScheduledMessage, 'reason' | 'endedBy'>): string {
  if (reason === null) return ''
  return reason === 'by_person' && endedBy ? `cancelada por ${endedBy.name}` : reasons[reason]
}

/** The act that sends it now: a colleague's goes out as one's own. */
export const sendLabel = ({ state, author }: ScheduledMessage, userId: number): string =>
  author.id !== userId ? 'Enviar por mim' : state === 'failed' ? 'Tentar de novo' : 'Enviar agora'
