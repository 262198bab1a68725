import { useCallback, useState } from 'react'
import { isTaken, measured } from './chosen-file.ts'
import type { Attachment } from './attachments-dialog.tsx'

const mostAtOnce = 30
let lastKey = 0

/** The files that are chosen but not sent yet. */
export function useAttachments() {
  const [attachments, setAttachments] = useState<Attachment[]>([])
  const add = useCallback(async (files: readonly File[], caption = '') => {
    const taken = files.filter(isTaken).slice(0, mostAtOnce)
    const added = await Promise.all(
      taken.map(async (file) => {
        lastKey += 1
        const key = `a${lastKey}`
        return { ...(await measured(file)), key, caption }
      }),
    )
    setAttachments((before) => [...before, ...added].slice(0, mostAtOnce))
  }, [])
  return { attachments, add, setAttachments }
}
