import type { CleanupCounts, MaintenanceKind, RestoreChoice } from '#shared/maintenance/maintenance.ts'
import type { RetentionCounts } from '#shared/maintenance/maintenance-plan.ts'
import {
  type Changes,
  type Nothing,
  fieldsIn,
  listed,
  plural,
  type Sentences,
} from '#shared/text/audit/telling.ts'

/** The nouns of its acts, as the audit log is filtered by them, and what each is about. */
export const groups = {
  maintenance: { name: 'Manutenção', place: 140, about: 'maintenance' },
} as const

/**
 * What its acts are about, and what stands instead of the name of what is gone. Stored with every row, so a
 * key never changes.
 */
export const resources = {
  maintenance: { name: 'Manutenção', gone: 'manutenção' },
} as const

/**
 * The details of each act: ids, codes, counts and values of no person. Without secrets, passwords, codes and
 * message texts.
 */
export interface Details {
  /** `request`: the row of the requests that says how much was given out, or erased. */
  'contact.personal_data': { request: number }
  'contact.anonymize': { request: number }
  'maintenance.backup': { name: string }
  'maintenance.backup_end': { name: string; status: 'completed' | 'failed' }
  'maintenance.delete': { name: string }
  /** `acceptUnsigned`: it had no signature, where there should be one. */
  'maintenance.import': { name: string; acceptUnsigned?: boolean }
  'maintenance.copy': Nothing
  /** `madeAt`: when the copy was made that the installation was attached from. */
  'maintenance.attach': { madeAt: string; acceptUnsigned?: boolean }
  'maintenance.move': Nothing
  'maintenance.media_move': { to: 'disk' | 's3' }
  /** Files without a row that were removed. */
  'maintenance.media_clean': { files: number }
  'maintenance.download': { name: string }
  'maintenance.preview': { name: string } & RestoreChoice
  'maintenance.restore': { name: string } & RestoreChoice
  /** `added`: rows of all tables. */
  'maintenance.restore_end': { name: string; added: number }
  'maintenance.cleanup': Partial<{ dateFrom: string; dateTo: string; cleanAll: true }>
  'maintenance.cleanup_end': CleanupCounts
  'maintenance.stop': { kind: MaintenanceKind }
  'maintenance.plan': { changes: Changes }
  'maintenance.retention': RetentionCounts
}

const backupOf = ({ name }: { name?: string }) => ({ name: name ?? '' })

/** What whoever used a backup has accepted. */
const trustIn = ({ acceptUnsigned }: { acceptUnsigned?: boolean | undefined }) =>
  acceptUnsigned ? [', que não está assinado'] : []

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
function cleanedWhat({ dateFrom, dateTo, cleanAll }: Partial<Details['maintenance.cleanup']>): string {
  if (cleanAll) return 'todas as conversas finalizadas'
  if (dateFrom === undefined || dateTo === undefined) return 'conversas finalizadas'
  return dateFrom === dateTo
    ? `as conversas finalizadas em ${day(dateFrom)}`
    : `as conversas finalizadas de ${day(dateFrom)} a ${day(dateTo)}`
}

/** What each act says, without its subject. */
export const sentences: Sentences<Details> = {
  'contact.personal_data': ({ about }) => ['exportou os dados pessoais do contato ', about],
  'contact.anonymize': ({ about }) => ['anonimizou o contato ', about],
  'maintenance.backup': ({ details }) => ['começou o backup ', backupOf(details)],
  'maintenance.backup_end': ({ details }) => [
    details.status === 'completed' ? 'concluiu o backup ' : 'não concluiu o backup ',
    backupOf(details),
  ],
  'maintenance.delete': ({ details }) => ['apagou o backup ', backupOf(details)],
  'maintenance.import': ({ details }) => [
    'trouxe de um arquivo o backup ',
    backupOf(details),
    ...trustIn(details),
  ],
  'maintenance.copy': () => ['copiou a instalação inteira'],
  'maintenance.attach': ({ details }) => [
    `fez esta instalação a partir da cópia de ${day(details.madeAt?.slice(0, 10))}`,
    ...(details.acceptUnsigned ? [', que não está assinada'] : []),
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
  'maintenance.preview': ({ details }) => [
    'viu o que mudaria ao restaurar o backup ',
    backupOf(details),
    ...trustIn(details),
  ],
  'maintenance.restore': ({ details }) => [
    'começou a restaurar ',
    { name: chosen(details) },
    ' do backup ',
    backupOf(details),
    ...trustIn(details),
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
