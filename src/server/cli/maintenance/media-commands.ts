import { record } from '#server/audit/audit.ts'
import {
  type Dangler,
  moveFiles,
  type MoveProgress,
  type Orphan,
  removeOrphans,
  scanFiles,
} from '#server/maintenance/maintenance.ts'
import { timesOf } from '#server/cli/account-table.ts'
import { cancelled, CommandError } from '#server/cli/command-error.ts'
import { type Database, inTransaction } from '#server/platform/database/db.ts'
import { createFileStore } from '#server/platform/file-store.ts'
import type { FilePlace } from '#server/platform/file-store/places.ts'
import { getSettings } from '#server/settings/settings.ts'
import { count, inWords, megabytes, type Watched } from './long-work.ts'

const placeTexts: Readonly<Record<FilePlace, string>> = { disk: 'no disco', s3: 'no bucket' }
const shownEveryMs = 1000

/** Moves all files to the other place. @throws CommandError */
export async function moveMedia(
  database: Database,
  asked: FilePlace | undefined,
  watched: Watched,
): Promise<void> {
  const { config, terminal } = watched
  const to = asked ?? config.mediaStore
  if (!config.bucket)
    throw new CommandError(
      'Não há para onde mudar: defina S3_…, ou MEDIA_S3_…, também no ambiente do servidor.',
    )
  const where = to === 's3' ? `o bucket ${config.bucket.name}` : `o disco, em ${config.dataDir}`
  terminal.warn(`Mudando os arquivos para ${where}…`)
  const files = await createFileStore(config, { database })
  const moved = await inWords(() => moveFiles({ config, database, files }, to, showing(watched)))
  terminal.print(
    moved.files === 0
      ? `Nada a mudar: todos os arquivos já estão ${placeTexts[to]}, e os novos vão para lá.`
      : `Arquivos mudados: ${count(moved.files, 'arquivo', 'arquivos')}, ${megabytes(moved.bytes)}. ` +
          `Cada um foi lido de volta. Os novos também ficam ${placeTexts[to]}.`,
  )
  if (moved.damaged > 0)
    terminal.warn(
      `Atenção: ${count(moved.damaged, 'arquivo já não era', 'arquivos já não eram')} o que foi recebido.`,
    )
  if (moved.otherDisks.length > 0)
    terminal.warn(
      `Atenção: o disco de ${moved.otherDisks.join(', ')} é outro: rode o mesmo comando também lá.`,
    )
}

/** Reports how far the move is, once a second, and ends it when somebody presses Ctrl+C. */
function showing({ terminal, stopRequested }: Watched): (far: MoveProgress) => Promise<void> {
  let shownAtMs = performance.now()
  return (far) => {
    if (stopRequested()) return Promise.reject(cancelled())
    const nowMs = performance.now()
    if (nowMs - shownAtMs >= shownEveryMs) {
      shownAtMs = nowMs
      terminal.warn(progressText(far))
    }
    return Promise.resolve()
  }
}

function progressText({ files, bytes, ofFiles, ofBytes }: MoveProgress): string {
  const percent = ofBytes === 0 ? 100 : Math.floor((100 * bytes) / ofBytes)
  const done = `${files.toLocaleString('pt-BR')} de ${count(ofFiles, 'arquivo', 'arquivos')}`
  return `${done}, ${megabytes(bytes)} de ${megabytes(ofBytes)} (${percent} %)`
}

/** Prints files without a row and rows without a file. @throws CommandError when files are missing */
export async function scanMedia(
  database: Database,
  { isRemoving, isJson }: { isRemoving: boolean; isJson: boolean },
  watched: Watched,
): Promise<void> {
  const { config, terminal } = watched
  const parts = { config, database, files: await createFileStore(config, { database }) }
  const scanned = await inWords(() => scanFiles(parts))
  const { known, orphans, danglers } = scanned
  const removed = isRemoving ? await inWords(() => removeOrphans(parts, orphans)) : []
  if (removed.length > 0)
    await inTransaction(database, (db) =>
      record(db, 'command', { action: 'maintenance.media_clean', details: { files: removed.length } }),
    )
  if (isJson)
    terminal.print(JSON.stringify({ ...scanned, removed: removed.map(({ name }) => name) }, null, 2))
  else {
    const at = timesOf((await getSettings(database)).timezone)
    for (const orphan of orphans) terminal.print(orphanText(orphan, removed.includes(orphan), at))
    for (const dangler of danglers) terminal.print(danglerText(dangler, at))
    const places = (['disk', 's3'] as const)
      .filter((place) => known[place] > 0)
      .map((place) => `${count(known[place], 'arquivo', 'arquivos')} ${placeTexts[place]}`)
    terminal.print(
      `${places.join(', ') || 'Nenhum arquivo'}; ` +
        `${count(orphans.length, 'arquivo sem registro', 'arquivos sem registro')}` +
        (isRemoving ? ` (${count(removed.length, 'removido', 'removidos')})` : '') +
        `; ${count(danglers.length, 'registro sem arquivo', 'registros sem arquivo')}.`,
    )
  }
  if (danglers.length > 0)
    throw new CommandError(`${count(danglers.length, 'registro não tem', 'registros não têm')} arquivo.`)
}

function orphanText(
  { name, place, sizeBytes, changedAt, isOld }: Orphan,
  isRemoved: boolean,
  at: (instant: Date) => string,
): string {
  const outcome = isRemoved ? ', removido' : isOld ? '' : ', de menos de um dia'
  return `sem registro: ${name} (${placeTexts[place]}, ${megabytes(sizeBytes)}, ${at(changedAt)}${outcome})`
}

function danglerText(dangler: Dangler, at: (instant: Date) => string): string {
  const { name, sizeBytes, createdAt } = dangler
  return `sem arquivo: ${name} (${ownerOf(dangler)}, ${megabytes(sizeBytes)}, ${at(createdAt)})`
}

function ownerOf({ messageId, contactId, userId }: Dangler): string {
  if (messageId !== null) return `mensagem ${messageId}`
  if (contactId !== null) return `foto do contato ${contactId}`
  if (userId !== null) return `foto do usuário ${userId}`
  return 'resposta rápida'
}
