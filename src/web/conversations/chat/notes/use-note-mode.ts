import { Lock, Reply } from 'lucide-react'
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import type { Conversation } from '#shared/conversations/conversations.ts'
import type { Message } from '#shared/messages/messages.ts'
import { useCommands } from '#web/platform/commands.ts'
import { partInPlace } from '#web/platform/loading/in-place.tsx'
import { useCan } from '#web/users/users.tsx'

const useNoteComposer = partInPlace(async () => (await import('./note-composer.tsx')).NoteComposer)

/** Whether a note of the team is written instead of a reply, or one is edited; Alt+N changes that. */
export function useNoteMode(
  { status, assignedUserId }: Conversation,
  userId: number,
  field: RefObject<HTMLTextAreaElement | null>,
) {
  const isCompleted = status === 'completed'
  const isOfOther = isCompleted && assignedUserId !== userId
  const [mayWrite, mayWriteInArchive] = [useCan('writeNote'), useCan('writeNoteInArchive')]
  const canWrite = isOfOther ? mayWriteInArchive : mayWrite
  const [writing, setWriting] = useState<'note' | Message>()
  const isNote = canWrite && writing !== undefined
  const NoteComposer = useNoteComposer(isNote)
  const isShown = isNote && NoteComposer !== undefined
  const change = useCallback((toNote: boolean) => setWriting(toNote ? 'note' : undefined), [])
  const onEdit = useCallback((note: Message) => setWriting(note), [])
  const editing = isNote && writing !== 'note' ? writing : undefined

  // The field of the other mode takes the focus, as often as the mode changes.
  const shownBefore = useRef({ isShown, editing })
  useEffect(() => {
    const before = shownBefore.current
    shownBefore.current = { isShown, editing }
    if (before.isShown === isShown && before.editing === editing) return
    const element = field.current
    element?.focus()
    element?.setSelectionRange(element.value.length, element.value.length)
  }, [isShown, editing, field])

  const label = !isNote ? 'Nota interna' : isCompleted ? 'Fechar a nota' : 'Responder'
  const run = () => change(!isNote)
  useCommands(
    canWrite
      ? [{ id: 'chat note', group: 'Esta conversa', label, icon: isNote ? Reply : Lock, letter: 'N', run }]
      : [],
  )
  return { canWrite, isNote, NoteComposer: isShown ? NoteComposer : undefined, editing, change, onEdit }
}
