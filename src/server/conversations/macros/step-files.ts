import { AppError } from '#shared/errors.ts'
import type { MacroStep } from '#shared/macros/steps.ts'
import { findFile, insertFile, keepBytes, type KeptFile, messageTypeOf } from '#server/media/media.ts'
import type { Database, Db } from '#server/platform/database/db.ts'
import { type FileStore, newFileName } from '#server/platform/file-store.ts'
import { fileUrlOf } from '#server/conversations/media/message-files.ts'
import type { ReplyFile } from '#server/conversations/outgoing/reply.ts'

type FileStep = Extract<MacroStep, { kind: 'file' }>
interface Store {
  database: Database
  files: FileStore
}

/**
 * Copies the file of a step, which the message will own. What no message owns in the end the sweep deletes.
 * @throws AppError 422 when it is gone
 */
export async function copyStepFile(store: Store, { file }: FileStep): Promise<ReplyFile> {
  const row = await findFile(store.database, file.name)
  const bytes = row?.isOfMacro ? await store.files.read(row.name) : undefined
  if (!bytes) throw gone(file.fileName)
  try {
    return asReply(await keepBytes(store, file.fileName, bytes))
  } finally {
    bytes.destroy()
  }
}

/** Those of the files whose bytes are not there, which only a damaged file store lacks. */
export async function missingFiles(files: FileStore, names: readonly string[]): Promise<string[]> {
  const missing: string[] = []
  for (const name of names) {
    const bytes = await files.read(name)
    if (bytes) bytes.destroy()
    else missing.push(name)
  }
  return missing
}

/**
 * The same for what is only tried: a row without bytes, which is taken back with everything else.
 * @param lost the files without bytes
 * @throws AppError 422 when it is gone
 */
export async function tryStepFile(db: Db, { file }: FileStep, lost: readonly string[]): Promise<ReplyFile> {
  const row = await findFile(db, file.name)
  if (!row?.isOfMacro || lost.includes(file.name)) throw gone(file.fileName)
  const name = newFileName()
  const { sizeBytes, mimeType, sha256 } = row
  await insertFile(db, { name, sizeBytes, mimeType, sha256 })
  return asReply({ name, fileName: file.fileName, kind: { mimeType }, sizeBytes })
}

const gone = (name: string) => new AppError('macros.file_gone', { values: { name } })

function asReply({
  name,
  fileName,
  kind,
  sizeBytes,
}: Omit<KeptFile, 'kind'> & { kind: Pick<KeptFile['kind'], 'mimeType'> }): ReplyFile {
  return {
    name,
    messageType: messageTypeOf({ extension: '', ...kind }, false),
    columns: { fileName, fileUrl: fileUrlOf(name), fileMimeType: kind.mimeType, fileSize: sizeBytes },
    metadata: {},
  }
}
