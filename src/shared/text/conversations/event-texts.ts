// The lines between the messages of a chat.

/** What an act has put on a conversation and taken off it, by their names. */
interface TagsOfAct {
  added?: readonly string[] | undefined
  removed?: readonly string[] | undefined
}

/** The line for an act on a conversation. */
export function actText(who: string, act: string, to = '', ended = '', tags: TagsOfAct = {}): string {
  switch (act) {
    case 'taken':
      return `${who} assumiu a conversa`
    case 'assigned':
      return `${who} atribuiu a conversa a ${to}`
    case 'returned':
      return to === '' ? `${who} devolveu a conversa à fila` : `A conversa voltou à fila: ${to} está em pausa`
    case 'transferred':
      return `${who} transferiu a conversa para ${to}`
    case 'moved':
      return `${who} transferiu a conversa para o setor ${to}`
    case 'placed':
      return to === '' ? `${who} tirou a conversa do setor` : `${who} pôs a conversa no setor ${to}`
    case 'distributed':
      return `A conversa foi distribuída para ${to}`
    case 'closed_by_inactivity':
      return 'Atendimento encerrado por inatividade'
    case 'reopened':
      return `${who} desfez a finalização`
    case 'kept_open':
      return 'O cliente escreveu antes do encerramento: a conversa continua'
    case 'not_shown':
      return `Há algo nesta conversa que só aparece no celular (${to})`
    case 'text_withdrawn':
      return 'Texto automático não enviado: já não era preciso'
    case 'snoozed':
      return `${who} deixou a conversa em espera até ${to}`
    case 'resumed':
      return `${who} retomou a conversa`
    case 'snooze_over':
      return 'A conversa voltou da espera'
    case 'snooze_answered':
      return 'O cliente escreveu: a conversa voltou da espera'
    case 'assistant_on':
      return `${who} ligou a IA nesta conversa`
    case 'assistant_off':
      return `${who} desligou a IA nesta conversa`
    case 'assistant_asked_person':
      return 'A IA pediu uma pessoa; a conversa segue na fila'
    case 'assistant_failed':
      return 'A IA não conseguiu responder; a conversa segue na fila'
    case 'reason_changed':
      return `${who} mudou o motivo para ${ended || 'nenhum'}`
    case 'tagged':
      return taggedText(who, tags)
    case 'macro':
      return `${who} rodou a macro ‘${to}’`
    case 'closed_as_blocked':
      return 'Atendimento encerrado: o contato está bloqueado'
    case 'anonymized':
      return `${who} anonimizou o contato`
    case 'blocked':
      return `${who} bloqueou o contato`
    default:
      return `${who} finalizou o atendimento${ended && `: ${ended}`}`
  }
}

function taggedText(who: string, { added = [], removed = [] }: TagsOfAct): string {
  const named = (names: readonly string[]) =>
    `${names.length === 1 ? 'a etiqueta' : 'as etiquetas'} ${names.join(', ')}`
  if (added.length === 0) return `${who} tirou ${named(removed)}`
  return `${who} pôs ${named(added)}${removed.length === 0 ? '' : ` e tirou ${named(removed)}`}`
}

/** Why the distribution chose an operator among those available. */
export function reasonText(reason: {
  among: number
  active: number
  waiting: number
  capacity: number
}): string {
  const open = reason.active === 1 ? '1 conversa aberta' : `${reason.active} conversas abertas`
  const among =
    reason.among === 1 ? 'único operador livre' : `menor carga entre ${reason.among} operadores livres`
  return (
    `Esta era a conversa que esperava há mais tempo. No momento: ${among}, com ${open} ` +
    `e ${reason.waiting} de ${reason.capacity} aguardando resposta.`
  )
}
