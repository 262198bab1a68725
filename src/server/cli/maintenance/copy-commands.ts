import { openConfiguredDatabase } from '#server/open-database.ts'
import {
  type Attachable,
  attachCopy,
  cipherOf,
  copyInstallation,
  examineCopy,
  finishMove,
  forgetReading,
  moveInstallation,
} from '#server/maintenance/maintenance.ts'
import { type Database, openDatabase } from '#server/platform/database/db.ts'
import { checkExternalPostgres, placeOfUrl } from '#server/platform/external-postgres.ts'
import { createFileStore } from '#server/platform/file-store.ts'
import { noteMove } from '#server/platform/data-folder.ts'
import { createLog } from '#server/platform/log.ts'
import { StartRefused } from '#server/platform/start-refused.ts'
import { getSettings } from '#server/settings/settings.ts'
import { timesOf } from '#server/cli/account-table.ts'
import { CommandError } from '#server/cli/command-error.ts'
import { count, inWords, watch, type Watched } from './long-work.ts'

/** Copies the whole installation into a folder. @throws CommandError */
export async function copyTo(database: Database, dir: string, watched: Watched): Promise<void> {
  const { config, terminal } = watched
  const progress = watch(watched, {
    tables: 'Copiando as tabelas…',
    files: 'Copiando os arquivos…',
    check: 'Lendo tudo de volta…',
    compare: 'Conferindo as tabelas…',
  })
  const { tables, files, secretKey, isEncrypted } = await inWords(async () =>
    copyInstallation(
      {
        database,
        files: await createFileStore(config, { database }),
        cipher: cipherOf(config.backupKey),
        key: { given: config.secretKey, dataDir: config.dataDir },
      },
      dir,
      progress,
    ),
  )
  const rows = tables.reduce((sum, table) => sum + table.rows, 0)
  const copied = figures({ tables: tables.length, rows, files: files.rows - files.missing })
  terminal.print(`Cópia feita em ${dir}: ${copied}. Tudo foi lido de volta e confere.`)
  if (files.missing > 0)
    terminal.warn(`Atenção: ${count(files.missing, 'arquivo já faltava', 'arquivos já faltavam')} na origem.`)
  if (files.damaged > 0)
    terminal.warn(
      `Atenção: ${count(files.damaged, 'arquivo já não era', 'arquivos já não eram')} o que foi recebido.`,
    )
  if (config.secretKey !== undefined)
    terminal.warn('Atenção: SECRET_KEY não está na cópia; guarde-a também, em outro lugar.')
  else if (!secretKey) terminal.warn(`Atenção: em ${config.dataDir} ainda não há chave secreta.`)
  if (!isEncrypted)
    terminal.warn('Atenção: a cópia não está cifrada, e tem tudo o que o servidor sabe. Guarde-a como a ele.')
}

const figures = ({ tables, rows, files }: { tables: number; rows: number; files: number }) =>
  `${count(tables, 'tabela', 'tabelas')}, ${count(rows, 'linha', 'linhas')}, ` +
  count(files, 'arquivo', 'arquivos')

/** Makes an installation of a copy. @throws CommandError */
export async function attach(
  { path: dir, acceptUnsigned }: { path: string; acceptUnsigned: boolean },
  watched: Watched,
  onOpen: () => void,
): Promise<void> {
  const { config, terminal, stopRequested } = watched
  const progress = watch(watched, {
    check: 'Lendo a cópia…',
    files: 'Copiando os arquivos…',
    stage: 'Copiando e conferindo as tabelas…',
  })
  const cipher = cipherOf(config.backupKey)
  const copy = await inWords(() => examineCopy({ config, cipher, acceptUnsigned }, dir, progress))
  onOpen()
  const options = { stopRequested, isAttaching: true }
  const opening = openConfiguredDatabase(config, createLog('silent'), options)
  const { database, close } = await opening.catch(async (error: unknown) => {
    await forgetReading(config)
    throw error
  })
  try {
    const attached = await inWords(() => attachCopy({ config, database }, copy, progress))
    await printAttached(database, { copy, attached, dir }, watched)
  } finally {
    await close()
  }
  if (copy.isKeyMissing)
    terminal.warn(
      'Atenção: a chave secreta da origem não está na cópia. Ponha-a em SECRET_KEY antes do primeiro ' +
        'início; sem ela, as chaves dos números precisam ser digitadas de novo.',
    )
}

async function printAttached(
  database: Database,
  {
    copy,
    attached,
    dir,
  }: { copy: Attachable; attached: Awaited<ReturnType<typeof attachCopy>>; dir: string },
  { terminal }: Watched,
): Promise<void> {
  const madeAt = timesOf((await getSettings(database)).timezone)(new Date(copy.manifest.madeAt))
  terminal.print(
    `Instalação pronta: ${figures(attached)}, como em ${dir} (cópia de ${madeAt}). Tudo confere.\n` +
      'Agora: deixe a origem parada, para que só uma envie mensagens, e inicie o servidor. ' +
      'Todos precisam entrar de novo.',
  )
}

/** Copies the database to one of one's own. @throws CommandError */
export async function moveTo(database: Database, url: string, watched: Watched): Promise<void> {
  const { config, terminal } = watched
  const log = createLog('silent')
  const progress = watch(watched, { tables: 'Copiando e conferindo as tabelas…' })
  const connection = await checkExternalPostgres(url, log).catch((error: unknown) => {
    throw error instanceof StartRefused ? new CommandError(error.message) : error
  })
  const target = openDatabase({ connection, log, poolSize: 2 })
  try {
    const { tables, rows } = await inWords(() => moveInstallation(database, target, progress))
    if (config.databaseUrl === undefined) noteMove(config.dataDir, placeOfUrl(url))
    await finishMove(target)
    const files = config.bucket ? 'os arquivos estão no bucket' : `os arquivos estão em ${config.dataDir}`
    terminal.print(
      `Banco de dados copiado e comparado: ${count(tables, 'tabela', 'tabelas')}, ` +
        `${count(rows, 'linha', 'linhas')}. O antigo não foi mudado.\n` +
        'Agora:\n' +
        '  1. ponha o endereço novo em DATABASE_URL, no ambiente do servidor e dos comandos;\n' +
        `  2. deixe DATA_DIR como está: ${files}, e a chave secreta também fica;\n` +
        '  3. inicie o servidor. O banco antigo é recusado de agora em diante.',
    )
  } finally {
    await target.close()
  }
}
