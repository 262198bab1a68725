import { useCallback, useState } from 'react'
import { toast } from '#web/ui/states/toast.ts'
import { isTaken, measured } from './chosen-file.ts'
import type { SentFile } from '#web/conversations/sends/sends.ts'
import type { Attachment } from './attachments-dialog.tsx'

const mostAtOnce = 30
let lastKey = 0

/** The files that are chosen but not sent yet. */
export function useAttachments() {
  const [attachments, setAttachments] = useState<Attachment[]>([])
  const room = mostAtOnce - attachments.length
  /** @param facts known already, such as that it is a voice message */
  const add = useCallback(
    async (files: readonly File[], caption = '', facts: Partial<SentFile> = {}) => {
      const taken = files.filter(isTaken)
      if (taken.length > room) toastLeft(taken.length - room)
      const added = await Promise.all(
        taken.slice(0, room).map(async (file) => {
          lastKey += 1
          const key = `a${lastKey}`
          return { ...(await measured(file)), ...facts, key, caption }
        }),
      )
      setAttachments((before) => [...before, ...added].slice(0, mostAtOnce))
    },
    [room],
  )
  return { attachments, add, setAttachments }
}

function toastLeft(count: number): void {
  const left = count === 1 ? '1 ficou de fora: anexe-o' : `${count} ficaram de fora: anexe-os`
  toast({
    tone: 'error',
    title: `No máximo ${mostAtOnce} arquivos de cada vez`,
    description: `${left} depois destes.`,
  })
}
