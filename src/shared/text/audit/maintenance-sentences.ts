import type { AuditAction } from '#shared/audit/audit-actions.ts'
import type { DetailsOf } from '#shared/audit/audit-details.ts'
import { fieldsIn, listed, plural, type SentenceOf } from './telling.ts'

type MaintenanceAction = Extract<AuditAction, `maintenance.${string}`>

const backupOf = ({ name }: { name?: string }) => ({ name: name ?? '' })
const day = (date: string | undefined) => (date ?? '').split('-').toReversed().join('/')

const kinds = {
  backup: 'um backup',
  preview: 'a prévia de uma restauração',
  restore: 'uma restauração',
  cleanup: 'uma limpeza',
  retention: 'a limpeza da noite',
} as const

/** The parts of a backup that were ticked. */
const chosen = (choice: { restoreComplete?: boolean; restoreSettings?: boolean }) =>
  listed([
    ...(choice.restoreSettings ? ['configurações'] : []),
    ...(choice.restoreComplete ? ['contatos', 'conversas'] : []),
  ]) || 'dados'

/** Of which days conversations were to be deleted. */
function cleanedWhat({ dateFrom, dateTo, cleanAll }: Partial<DetailsOf<'maintenance.cleanup'>>): string {
  if (cleanAll) return 'todas as conversas finalizadas'
  if (dateFrom === undefined || dateTo === undefined) return 'conversas finalizadas'
  return dateFrom === dateTo
    ? `as conversas finalizadas em ${day(dateFrom)}`
    : `as conversas finalizadas de ${day(dateFrom)} a ${day(dateTo)}`
}

/** What maintenance says. */
export const maintenanceSentences: { [Action in MaintenanceAction]: SentenceOf<Action> } = {
  'maintenance.backup': ({ details }) => ['começou o backup ', backupOf(details)],
  'maintenance.backup_end': ({ details }) => [
    details.status === 'completed' ? 'concluiu o backup ' : 'não concluiu o backup ',
    backupOf(details),
  ],
  'maintenance.delete': ({ details }) => ['apagou o backup ', backupOf(details)],
  'maintenance.import': ({ details }) => ['trouxe de um arquivo o backup ', backupOf(details)],
  'maintenance.copy': () => ['copiou a instalação inteira'],
  'maintenance.attach': ({ details }) => [
    `fez esta instalação a partir da cópia de ${day(details.madeAt?.slice(0, 10))}`,
  ],
  'maintenance.move': () => ['mudou a instalação para este banco de dados'],
  'maintenance.media_move': ({ details }) => [
    details.to === 's3'
      ? 'começou a mudar os arquivos para o bucket'
      : 'começou a mudar os arquivos para o disco',
  ],
  'maintenance.media_clean': ({ details }) => [
    `removeu ${plural(details.files, 'arquivo sem registro', 'arquivos sem registro')}`,
  ],
  'maintenance.download': ({ details }) => ['baixou o backup ', backupOf(details)],
  'maintenance.preview': ({ details }) => ['viu o que mudaria ao restaurar o backup ', backupOf(details)],
  'maintenance.restore': ({ details }) => [
    'começou a restaurar ',
    { name: chosen(details) },
    ' do backup ',
    backupOf(details),
  ],
  'maintenance.restore_end': ({ details }) => [
    'restaurou ',
    { name: plural(details.added, 'registro', 'registros') },
    ' do backup ',
    backupOf(details),
  ],
  'maintenance.cleanup': ({ details }) => ['começou a apagar ', cleanedWhat(details)],
  'maintenance.cleanup_end': ({ details }) => [
    'apagou ',
    { name: plural(details.deletedConversations, 'conversa', 'conversas') },
    ` com ${plural(details.deletedMessages, 'mensagem', 'mensagens')}`,
    ` e ${plural(details.deletedFiles, 'arquivo', 'arquivos')}`,
  ],
  'maintenance.stop': ({ details }) => ['parou ', details.kind ? kinds[details.kind] : 'um trabalho'],
  'maintenance.plan': ({ details }) => {
    const fields = fieldsIn(details.changes)
    return [`mudou o backup diário ou os prazos${fields ? `: ${fields}` : ''}`]
  },
  'maintenance.retention': ({ details }) => [
    'apagou por prazo ',
    { name: plural(details.texts, 'texto', 'textos') },
    `, ${plural(details.files, 'arquivo', 'arquivos')}`,
    `, ${plural(details.inbox, 'webhook', 'webhooks')}`,
    ` e ${plural(details.audit, 'registro', 'registros')} da auditoria`,
  ],
}
