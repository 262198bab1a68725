import { Lock } from 'lucide-react'
import { useCallback, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import type { Conversation } from '#shared/conversations/conversations.ts'
import type { Message } from '#shared/messages/messages.ts'
import { useAttachments } from '#web/conversations/attachments/use-attachments.ts'
import type { MessageActions } from '#web/conversations/chat/message/message-item.ts'
import { NoteRow } from '#web/conversations/chat/message/note-row.tsx'
import { timeline } from '#web/conversations/chat/timeline/timeline.ts'
import { useDiscardSend, usePendingSends, useSendMessage } from '#web/conversations/sends/send-mutations.ts'
import { dayKey } from '#web/platform/live/server-clock.ts'
import { Button } from '#web/ui/buttons/button.tsx'
import { onDemand } from '#web/ui/on-demand.tsx'
import { useMe } from '#web/users/users.tsx'
import { useNoteMode } from './use-note-mode.ts'

const DeleteMessageDialog = onDemand(
  async () => (await import('#web/conversations/chat/dialogs/delete-message-dialog.tsx')).DeleteMessageDialog,
)

/**
 * Notes of the team in a conversation that is only read, such as one of the archive.
 * @param onSaved called when a new note is the last of its messages
 * @param onChanged called when one of its notes is another than it is shown, or gone
 * @returns what may be done with its notes, and what stands below its messages
 */
export function useCompletedNotes(
  conversation: Conversation,
  { onSaved, onChanged }: { onSaved: () => void; onChanged: () => void },
) {
  const { id } = conversation
  const me = useMe()
  const field = useRef<HTMLTextAreaElement>(null)
  const { canWrite, isNote, NoteComposer, editing, change, onEdit } = useNoteMode(conversation, me.id, field)
  const { attachments, add, setAttachments } = useAttachments()
  const onFiles = useCallback((files: readonly File[], caption?: string) => void add(files, caption), [add])
  const [deleted, setDeleted] = useState<Message>()
  const chat = useMemo(() => ({ conversationId: id }), [id])
  const pending = usePendingSends(chat)
  const send = useSendMessage(chat)
  const discard = useDiscardSend()
  const unsaved = useMemo(
    () =>
      timeline(
        [],
        pending.filter(({ isNote: isOne }) => isOne),
        dayKey,
      ).filter(({ kind }) => kind === 'message'),
    [pending],
  )
  const actions = useMemo(
    (): MessageActions => ({
      onJump: () => undefined,
      onRetry: () => undefined,
      onResend: ({ error: _refusal, ...each }) => send(each),
      onDiscard: ({ error: _refusal, ...each }) => discard(each),
      ...(canWrite && { onEditNote: onEdit, onDeleteNote: setDeleted }),
    }),
    [canWrite, onEdit, send, discard],
  )
  const count = useRef(unsaved.length)
  const saved = useEffectEvent(onSaved)
  useEffect(() => {
    if (unsaved.length < count.current) saved()
    count.current = unsaved.length
  }, [unsaved.length])
  const leave = () => {
    if (editing) onChanged()
    change(false)
  }
  const below = (
    <>
      {unsaved.length > 0 && (
        <div className="bg-thread px-4 pb-3">
          {unsaved.map(
            (item) =>
              item.kind === 'message' && (
                <NoteRow key={item.key} item={item} isMarked={false} actions={actions} />
              ),
          )}
        </div>
      )}
      {NoteComposer ? (
        <NoteComposer
          conversationId={id}
          me={me}
          editing={editing}
          field={field}
          attachments={attachments}
          onFiles={onFiles}
          onAttachments={setAttachments}
          modes={undefined}
          onDone={leave}
        />
      ) : (
        canWrite && (
          <div className="border-t border-line px-4 py-2">
            <Button
              size="sm"
              icon={Lock}
              isBusy={isNote}
              aria-keyshortcuts="Alt+N"
              onClick={() => change(true)}
            >
              Nota interna
            </Button>
          </div>
        )
      )}
      {deleted && (
        <DeleteMessageDialog
          message={deleted}
          onClose={() => {
            setDeleted(undefined)
            onChanged()
          }}
        />
      )}
    </>
  )
  return { actions, below }
}
