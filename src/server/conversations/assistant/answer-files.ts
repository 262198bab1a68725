import { AppError } from '#shared/errors.ts'
import { type AgentAnswer, AssistantFailure, type AssistantServers } from '#server/assistant/assistant.ts'
import { keepBytes, type KeptFile, messageTypeOf } from '#server/media/media.ts'
import type { Database } from '#server/platform/database/db.ts'
import type { FileStore } from '#server/platform/file-store.ts'
import type { Log } from '#server/platform/log.ts'

/** A file of an answer, in the file store. */
export interface AnswerFile extends KeptFile {
  /** A document, where WhatsApp does not show the kind. */
  messageType: ReturnType<typeof messageTypeOf>
}

const maxFileBytes = 16 * 1_048_576

/**
 * Fetches the pictures and sounds of an answer, each from an address that the agent gave, so from anywhere
 * that the guard of outgoing calls admits. What cannot be fetched, is too large or is something else is left
 * out: the text of the answer is worth more. A file without a message is swept after a day.
 */
export async function fetchAnswerFiles(
  deps: { database: Database; files: FileStore; servers: AssistantServers; log: Log },
  { images, audios }: Pick<AgentAnswer, 'images' | 'audios'>,
): Promise<AnswerFile[]> {
  const wanted = [
    ...images.map((url) => ({ url, as: 'image' }) as const),
    ...audios.map((url) => ({ url, as: 'audio' }) as const),
  ]
  const found: AnswerFile[] = []
  for (const { url, as } of wanted) {
    const file = await fetchOne(deps, url, as)
    if (file) found.push({ ...file, messageType: messageTypeOf(file.kind, false) })
  }
  return found
}

async function fetchOne(
  { database, files, servers, log }: Parameters<typeof fetchAnswerFiles>[0],
  url: string,
  as: 'image' | 'audio',
): Promise<KeptFile | undefined> {
  try {
    const kept = await servers.openFile(url, (bytes) =>
      keepBytes({ database, files }, nameIn(url), bytes, {
        maxBytes: maxFileBytes,
        tooLarge: 'media.too_large',
        check: () => undefined,
      }),
    )
    if (kept.kind.mimeType.startsWith(`${as}/`)) return kept
    log.warn({ wanted: as, found: kept.kind.mimeType }, 'file of an answer left out')
  } catch (error) {
    // Without the address, which may have a key in it.
    const reason =
      error instanceof AppError
        ? error.code
        : error instanceof AssistantFailure
          ? error.message
          : 'broken off'
    log.warn({ wanted: as, reason }, 'file of an answer left out')
  }
  return undefined
}

/** The last part of the path; the file store makes a file's name of it. */
function nameIn(url: string): string {
  if (!URL.canParse(url)) return ''
  const last = new URL(url).pathname.split('/').at(-1) ?? ''
  try {
    return decodeURIComponent(last)
  } catch {
    return last
  }
}
