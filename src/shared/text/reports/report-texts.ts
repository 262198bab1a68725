import type { Ender, Figure, Grouping } from '#shared/reports/figures.ts'
import type { Period } from '#shared/reports/periods.ts'
import { categoryLabel } from '#shared/text/text.ts'

import { automaticReasons, isAutomaticEnd, noReason } from '#shared/text/conversations/reason-texts.ts'

// The words of the reports, for screen and files.

export const periodNames: Record<Period, string> = {
  day: 'Dia',
  week: 'Semana',
  month: 'Mês',
  custom: 'Personalizado',
}

export const figureNames: Record<Figure, string> = {
  total: 'Total',
  waiting_client: 'Aguardando Cliente',
  waiting_operator: 'Aguardando Operador',
  in_queue: 'Na fila',
  active: 'Ativas',
  active_waiting: 'Ativas aguardando operador',
  completed: 'Finalizadas',
  same_day: 'Finalizadas no dia',
  left_open: 'Ficaram abertas',
  first_reply: 'Primeira resposta',
  queue: 'Tempo na fila',
  handling: 'Atendimento',
  rated: 'Satisfação',
  commented: 'Avaliações com comentário',
  by_person: 'Finalizadas por uma pessoa',
  by_inactivity: 'Encerradas por inatividade',
  reply_kept: 'Resposta no prazo',
  reply_broken: 'Resposta fora do prazo',
  end_kept: 'Encerradas no prazo',
  end_broken: 'Encerramento fora do prazo',
}

/** What a figure is, in a sentence or two. */
export const figureDefinitions: Record<Figure, string> = {
  total:
    'Conversas que começaram no período. O histórico importado e os contatos que não passaram do ' +
    'pré-atendimento não contam.',
  waiting_client: 'As que ainda estão abertas, e a vez é do cliente.',
  waiting_operator: 'As que ainda estão abertas, e a vez é da equipe, na fila ou com alguém.',
  in_queue: 'As que esperam a vez na fila, sem ninguém.',
  active: 'As que ainda estão abertas e estão com alguém, seja de quem for a vez. A fila não conta.',
  active_waiting: 'Das ativas, as que esperam uma resposta de quem está com elas.',
  completed: 'As que já foram finalizadas, em qualquer dia.',
  same_day: 'As que começaram e foram finalizadas no mesmo dia.',
  left_open: 'As que não foram finalizadas no dia em que começaram.',
  first_reply:
    'Da chegada do cliente (a primeira mensagem, ou a escolha no pré-atendimento) até a primeira resposta ' +
    'escrita por uma pessoa. Respostas automáticas não contam, nem o tempo em espera (Lembrar).',
  queue:
    'O tempo na fila, somado se a conversa voltou para ela, até alguém assumir, receber ou responder, ' +
    'ou até o fim. O tempo em espera (Lembrar) não conta.',
  handling:
    'De quando alguém assumiu, recebeu ou respondeu até a conversa ser finalizada. O tempo em espera ' +
    '(Lembrar) não conta.',
  rated: 'A nota de 1 a 5 que o cliente deu à conversa.',
  commented: 'As avaliações em que o cliente também escreveu.',
  by_person: 'As que alguém da equipe finalizou.',
  by_inactivity: 'As que o sistema encerrou porque o cliente não respondeu.',
  reply_kept:
    'As que tiveram a primeira resposta dentro do prazo (SLA), no tempo do expediente e sem as esperas.',
  reply_broken:
    'As que passaram do prazo da primeira resposta (SLA), também as que ainda não foram respondidas.',
  end_kept: 'As finalizadas dentro do prazo (SLA): só conta o expediente em que o cliente esperava.',
  end_broken: 'As que passaram do prazo de encerramento (SLA), também as que ainda estão abertas.',
}

/** Which conversations of the period a figure leaves out; absent where it needs no words. */
export const figureLeavesOut: Partial<Record<Figure, string>> = {
  first_reply: 'as que a equipe começou e as que ninguém respondeu.',
  queue: 'as que nunca estiveram na fila e as que ainda estão nela.',
  handling: 'as abertas e as que ninguém atendeu.',
  rated: 'as que o cliente não avaliou.',
}

/** What 'No expediente' means, for the figures that are times. */
export const openTimeText =
  'No expediente conta só o horário de atendimento das configurações de hoje, sem o almoço e os dias ' +
  'fechados; no relógio conta tudo. O que começou e acabou com tudo fechado não tem tempo no expediente e ' +
  'fica fora da média.'

export const groupingNames: Record<Grouping, string> = {
  operator: 'Operador',
  category: 'Categoria',
  company: 'Empresa',
  tag: 'Etiqueta',
  sector: 'Setor',
  reason: 'Motivo',
  hour: 'Hora de início',
  conversationTag: 'Etiqueta da conversa',
}

/** Of conversations in no group. */
export const noGroupNames: Record<Grouping, string> = {
  operator: 'Sem operador',
  category: 'Sem categoria',
  company: 'Sem empresa',
  tag: 'Sem etiqueta',
  sector: 'Sem setor',
  reason: noReason,
  hour: 'Sem hora',
  conversationTag: 'Sem etiqueta',
}

/** What a group is called. @param name null: of those in none, and of what ended by itself */
export function groupName({ key, name }: { key: string; name: string | null }, by: Grouping): string {
  if (by === 'reason' && isAutomaticEnd(key)) return automaticReasons[key]
  if (by === 'hour') return `${key} h`
  if (name === null) return noGroupNames[by]
  return by === 'category' ? categoryLabel(name) : name
}

export const endedByNames: Record<Ender, string> = {
  person: 'Uma pessoa',
  inactivity: 'Inatividade',
  blocked: 'Bloqueio do contato',
  anonymized: 'Anonimização',
}

/** The situation of a conversation, in a list and in a file. */
export function situation(row: {
  status: string
  waitingFor: 'operator' | 'client'
  isQueued: boolean
}): string {
  if (row.status === 'completed') return 'Finalizada'
  if (row.isQueued) return 'Na fila'
  return row.waitingFor === 'client' ? 'Aguardando Cliente' : 'Aguardando Operador'
}

/** The columns of the file with conversations. Times are in seconds. */
export const rowsHead = [
  'Protocolo',
  'Contato',
  'Empresa',
  'Categoria',
  'Operador',
  'Chegou',
  'Finalizada',
  'Situação',
  'Encerrada por',
  'Primeira resposta no expediente (s)',
  'Primeira resposta no relógio (s)',
  'Na fila no expediente (s)',
  'Na fila no relógio (s)',
  'Atendimento no expediente (s)',
  'Atendimento no relógio (s)',
  'Mensagens do cliente',
  'Mensagens da equipe',
  'Nota',
  'Comentário',
] as const

/** The last column of the conversations where there are sectors. */
export const sectorHead = 'Setor'
/** The last one where there are reasons. */
export const reasonHead = 'Motivo'
export const tagsHead = 'Etiquetas da conversa'

/** The columns of the operators' table. @see specification §2 Reports */
export const operatorsHead = ['Operador', 'Total', 'Ativas', 'Finalizadas', 'Aguardando', 'Status'] as const
/** The columns of its file after these. */
export const operatorsTimesHead = [
  'Primeira resposta: média no expediente (s)',
  'Primeira resposta: média no relógio (s)',
  'Atendimento: média no expediente (s)',
  'Atendimento: média no relógio (s)',
  'Avaliações',
  'Nota média',
] as const
/** Whether somebody may sign in, which says nothing of whether they are there. */
export const accountText = (isActive: boolean) => (isActive ? 'Conta ativa' : 'Conta inativa')
/** The row of conversations of nobody with the role operator. */
export const othersName = 'Outros e sem operador'

/** The columns of the file with groups, after the group's name. */
export const groupsHead = [
  'Total',
  'Aguardando Cliente',
  'Aguardando Operador',
  'Finalizadas',
  'Encerradas por inatividade',
  ...['Primeira resposta', 'Na fila', 'Atendimento'].flatMap((time) => [
    `${time}: conversas`,
    `${time}: fora do expediente`,
    `${time}: média no expediente (s)`,
    `${time}: mediana no expediente (s)`,
    `${time}: p90 no expediente (s)`,
    `${time}: média no relógio (s)`,
    `${time}: mediana no relógio (s)`,
    `${time}: p90 no relógio (s)`,
  ]),
  'Mensagens do cliente',
  'Mensagens da equipe',
  'Avaliações',
  'Nota média',
]
