import type {
  CleanupCounts,
  MaintenanceKind,
  MaintenanceRun,
  MaintenanceStep,
} from '#shared/maintenance/maintenance.ts'
import type { RetentionCounts } from '#shared/maintenance/maintenance-plan.ts'
import { counted, figure, listed, sizeText } from '#web/maintenance/words.ts'

/** Whether it is at work or about to begin. */
export const isBusy = ({ state }: MaintenanceRun): boolean => state === 'queued' || state === 'running'

/** The run that is at work, of these kinds. */
export const busyRun = (
  runs: readonly MaintenanceRun[] | undefined,
  kinds: readonly MaintenanceKind[],
): MaintenanceRun | undefined => runs?.find((run) => isBusy(run) && kinds.includes(run.kind))

/** The last run of a kind, if it has ended. */
export const endedRun = (
  runs: readonly MaintenanceRun[] | undefined,
  kind: MaintenanceKind,
): MaintenanceRun | undefined => runs?.find((run) => run.kind === kind && !isBusy(run))

const nouns = {
  rows: { one: 'linha', many: 'linhas' },
  conversations: { one: 'conversa', many: 'conversas' },
  files: { one: 'arquivo', many: 'arquivos' },
  texts: { one: 'texto', many: 'textos' },
  webhooks: { one: 'webhook', many: 'webhooks' },
  records: { one: 'registro', many: 'registros' },
} as const

/** What is counted while a step is under way; nothing for one that is over at once. */
type Measure = keyof typeof nouns | 'bytes' | 'none'

interface StepWords {
  /** While it is under way. */
  now: string
  /** In the list of steps. */
  name: string
  measure: Measure
}

const restoring: Partial<Record<MaintenanceStep, StepWords>> = {
  check: { now: 'Conferindo o backup', name: 'Conferir o backup', measure: 'bytes' },
  stage: { now: 'Carregando à parte', name: 'Carregar à parte', measure: 'rows' },
  plan: { now: 'Comparando com o que há aqui', name: 'Comparar com o que há aqui', measure: 'rows' },
  files: { now: 'Copiando mídias', name: 'Mídias', measure: 'bytes' },
  apply: { now: 'Aplicando as mudanças', name: 'Aplicar as mudanças', measure: 'rows' },
}

const words: Record<MaintenanceKind, Partial<Record<MaintenanceStep, StepWords>>> = {
  backup: {
    tables: { now: 'Copiando tabelas', name: 'Tabelas', measure: 'rows' },
    files: { now: 'Copiando mídias', name: 'Mídias', measure: 'bytes' },
    check: { now: 'Conferindo cada arquivo', name: 'Conferir cada arquivo', measure: 'bytes' },
    compare: {
      now: 'Restaurando à parte e comparando',
      name: 'Restaurar à parte e comparar',
      measure: 'rows',
    },
    close: { now: 'Fechando e registrando', name: 'Fechar e registrar', measure: 'none' },
  },
  preview: restoring,
  restore: restoring,
  cleanup: {
    delete: {
      now: 'Apagando conversas finalizadas',
      name: 'Conversas finalizadas',
      measure: 'conversations',
    },
  },
  retention: {
    files: { now: 'Apagando arquivos fora do prazo', name: 'Arquivos', measure: 'files' },
    texts: { now: 'Apagando textos fora do prazo', name: 'Textos', measure: 'texts' },
    inbox: { now: 'Apagando webhooks fora do prazo', name: 'Webhooks', measure: 'webhooks' },
    audit: { now: 'Apagando registros fora do prazo', name: 'Auditoria', measure: 'records' },
  },
}

/** The words of a step; of one without words, nothing but that it is under way. */
export const stepWords = (kind: MaintenanceKind, step: MaintenanceStep): StepWords =>
  words[kind][step] ?? { now: 'Trabalhando', name: step, measure: 'none' }

/** '3.902 de 12.391 linhas', '96,02 MB de 309,74 MB'; '' when nothing is counted. */
export function doneText({ done, total }: MaintenanceRun, measure: Measure): string {
  if (measure === 'none' || (total === null && done === 0)) return ''
  if (measure === 'bytes') return total === null ? sizeText(done) : `${sizeText(done)} de ${sizeText(total)}`
  const { one, many } = nouns[measure]
  return total === null ? counted(done, one, many) : `${figure(done)} de ${counted(total, one, many)}`
}

/** 'faltam cerca de 2 min' */
export function leftText(seconds: number): string {
  if (seconds < 50) return 'falta menos de 1 min'
  const minutes = Math.round(seconds / 60)
  if (minutes < 60) return minutes === 1 ? 'falta cerca de 1 min' : `faltam cerca de ${minutes} min`
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60]
  return `${hours === 1 ? 'falta' : 'faltam'} cerca de ${hours} h${rest === 0 ? '' : ` ${rest} min`}`
}

/** Of each kind: the name of its progress bar, and why nobody has to wait for it. */
export const kindWords: Record<MaintenanceKind, { bar: string; note: string }> = {
  backup: {
    bar: 'Backup em andamento',
    note: 'Pode sair desta tela: o backup continua e o andamento aparece aqui quando voltar.',
  },
  preview: {
    bar: 'Prévia da restauração em andamento',
    note: 'Uma prévia não muda nada.',
  },
  restore: {
    bar: 'Restauração em andamento',
    note:
      'Pode sair desta tela: a restauração continua e o andamento aparece aqui quando voltar. ' +
      'Acontece inteira ou não acontece.',
  },
  cleanup: {
    bar: 'Limpeza em andamento',
    note:
      'Pode sair desta tela: a limpeza continua e o andamento aparece aqui quando voltar. ' +
      'O que já foi apagado não volta.',
  },
  retention: {
    bar: 'Prazos em andamento',
    note:
      'Pode sair desta tela: o trabalho continua e o andamento aparece aqui quando voltar. ' +
      'O que já foi apagado não volta.',
  },
}

/** '8 conversas, 120 mensagens e 14 arquivos apagados' */
export function cleanedText(counts: CleanupCounts): string {
  const { deletedConversations, deletedMessages, deletedFiles } = counts
  if (deletedConversations === 0) return 'Nenhuma conversa apagada'
  return `${conversationsText(deletedConversations, deletedMessages, deletedFiles)} apagados`
}

/** '8 conversas, 120 mensagens e 14 arquivos' */
export const conversationsText = (conversations: number, messages: number, files: number): string =>
  listed([
    counted(conversations, 'conversa', 'conversas'),
    counted(messages, 'mensagem', 'mensagens'),
    counted(files, 'arquivo', 'arquivos'),
  ])

/** '3 arquivos e 40 webhooks'; undefined if there is nothing. */
export function retainedText({ files, texts, inbox, audit }: RetentionCounts): string | undefined {
  const parts = [
    files > 0 && counted(files, 'arquivo', 'arquivos'),
    texts > 0 && counted(texts, 'texto', 'textos'),
    inbox > 0 && counted(inbox, 'webhook', 'webhooks'),
    audit > 0 && counted(audit, 'registro de auditoria', 'registros de auditoria'),
  ].filter((part) => part !== false)
  return parts.length === 0 ? undefined : listed(parts)
}
