import type { Backup } from '#shared/maintenance/maintenance.ts'
import {
  cipherOf,
  compareBackup,
  createBackupStore,
  importBackup,
  listBackupViews,
} from '#server/maintenance/maintenance.ts'
import type { Config } from '#server/platform/config.ts'
import type { Database } from '#server/platform/database/db.ts'
import { createFileStore } from '#server/platform/file-store.ts'
import { databaseDiskOf } from '#server/platform/file-store/disk-room.ts'
import { getSettings } from '#server/settings/settings.ts'
import { tableOf, timesOf } from '#server/cli/account-table.ts'
import { CommandError } from '#server/cli/command-error.ts'
import { count, inWords, megabytes, watch, type Watched } from './long-work.ts'

const partsOf = (database: Database, config: Config) => ({
  database,
  store: createBackupStore(config),
  cipher: cipherOf(config.backupKey),
  databaseDisk: databaseDiskOf(config),
})

const head = ['ID', 'Nome', 'Situação', 'Feito em', 'Tamanho', 'Conversas', 'Mensagens', 'Arquivos', '']
const statusTexts = { processing: 'em andamento', completed: 'concluído', failed: 'não concluído' } as const

/** Prints the backups, newest first. */
export async function printBackups(
  database: Database,
  { isJson }: { isJson: boolean },
  { config, terminal }: Watched,
): Promise<void> {
  const backups = await listBackupViews(database, config)
  if (isJson) return terminal.print(JSON.stringify(backups, null, 2))
  if (backups.length === 0) return terminal.print('Não há backups.')
  const at = timesOf((await getSettings(database)).timezone)
  terminal.print(tableOf([head, ...backups.map((backup) => cellsOf(backup, at))]))
}

function cellsOf(backup: Backup, at: (instant: Date) => string): string[] {
  const { id, name, status, createdAt, size, error } = backup
  const notes = [
    backup.isImported && 'importado',
    backup.isEncrypted && 'cifrado',
    backup.isUnsigned && 'sem assinatura',
    error,
  ]
  const figures = [backup.conversationsCount, backup.messagesCount, backup.mediaFilesCount]
  return [
    String(id),
    name,
    statusTexts[status],
    at(new Date(createdAt)),
    size === null ? '–' : megabytes(size),
    ...figures.map((figure) => (status === 'completed' ? figure.toLocaleString('pt-BR') : '–')),
    notes.filter(Boolean).join(', '),
  ]
}

/** Brings in a downloaded backup. @throws CommandError for any other file */
export async function importFile(
  database: Database,
  { path, acceptUnsigned }: { path: string; acceptUnsigned: boolean },
  watched: Watched,
): Promise<void> {
  const progress = watch(watched, {
    files: 'Recebendo o arquivo…',
    check: 'Lendo tudo de volta…',
    compare: 'Conferindo as tabelas…',
  })
  const { id, name, ...found } = await inWords(() =>
    importBackup(partsOf(database, watched.config), path, progress, { acceptUnsigned }),
  )
  watched.terminal.print(
    `Backup importado: ${name} (ID ${id}), com ${count(found.conversations, 'conversa', 'conversas')}, ` +
      `${count(found.messages, 'mensagem', 'mensagens')} e ${count(found.files, 'arquivo', 'arquivos')}. ` +
      'Tudo confere.',
  )
}

/** Prints what differs from a backup. @throws CommandError when something does */
export async function compareWith(database: Database, id: number, watched: Watched): Promise<void> {
  const { config, terminal } = watched
  const progress = watch(watched, {
    check: 'Lendo o backup…',
    compare: 'Comparando as tabelas…',
    files: 'Comparando os arquivos…',
  })
  const parts = { ...partsOf(database, config), files: await createFileStore(config, { database }) }
  const { name, tables, files } = await inWords(() => compareBackup(parts, id, progress))
  for (const table of tables) terminal.print(`${table.name}: ${outcomeOf(table)}`)
  const differing = files.missing + files.different
  terminal.print(
    differing === 0
      ? `arquivos: igual (${files.equal.toLocaleString('pt-BR')})`
      : `arquivos: difere (${files.missing} faltam aqui, ${files.different} têm outro conteúdo, ` +
          `${files.equal} iguais)`,
  )
  const unequal = tables.filter(({ isEqual }) => !isEqual).length
  if (unequal + differing > 0)
    throw new CommandError(
      `O que há agora difere do backup ${name}: ${count(unequal, 'tabela', 'tabelas')}, ` +
        `${count(differing, 'arquivo', 'arquivos')}.`,
    )
  terminal.print(`Tudo confere com o backup ${name}.`)
}

function outcomeOf({
  here,
  there,
  isEqual,
}: Awaited<ReturnType<typeof compareBackup>>['tables'][number]): string {
  const rows = (n: number) => count(n, 'linha', 'linhas')
  if (isEqual) return `igual (${rows(here)})`
  if (there === undefined) return `não está no backup (${rows(here)} aqui)`
  return here === there
    ? `difere (${rows(here)}, com outro conteúdo)`
    : `difere (${rows(there)} no backup, ${here.toLocaleString('pt-BR')} aqui)`
}
