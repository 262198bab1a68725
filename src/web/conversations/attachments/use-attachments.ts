import { useCallback, useState } from 'react'
import { isTaken, measured } from './chosen-file.ts'
import type { SentFile } from '#web/conversations/sends/sends.ts'
import type { Attachment } from './attachments-dialog.tsx'

const mostAtOnce = 30
let lastKey = 0

/** The files that are chosen but not sent yet. */
export function useAttachments() {
  const [attachments, setAttachments] = useState<Attachment[]>([])
  /** @param facts known already, such as that it is a voice message */
  const add = useCallback(async (files: readonly File[], caption = '', facts: Partial<SentFile> = {}) => {
    const taken = files.filter(isTaken).slice(0, mostAtOnce)
    const added = await Promise.all(
      taken.map(async (file) => {
        lastKey += 1
        const key = `a${lastKey}`
        return { ...(await measured(file)), ...facts, key, caption }
      }),
    )
    setAttachments((before) => [...before, ...added].slice(0, mostAtOnce))
  }, [])
  return { attachments, add, setAttachments }
}
