import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Lock } from 'lucide-react'
import { type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { Conversation } from '#shared/conversations/conversations.ts'
import type { Message } from '#shared/messages/messages.ts'
import { hasEditableWords, isEditable } from '#shared/messages/message-changes.ts'
import type { Me } from '#shared/users/users.ts'
import { SummaryPanel } from '#web/assistant/assistant.tsx'
import { ContactPanel } from '#web/contacts/contacts.tsx'
import { serverNow } from '#web/platform/live/server-clock.ts'
import { Button } from '#web/ui/buttons/button.tsx'
import { ErrorState } from '#web/ui/states/error-state.tsx'
import { fetchAhead, onDemand } from '#web/ui/on-demand.tsx'
import { DropZone } from '#web/conversations/attachments/drop-zone.tsx'
import { useAttachments } from '#web/conversations/attachments/use-attachments.ts'
import { useChangeDraft } from '#web/conversations/drafts/use-draft.ts'
import { refusedEdit } from '#web/conversations/mutations/message-mutations.ts'
import { isSending } from '#web/conversations/sends/send-mutations.ts'
import { useRecordedView } from '#web/conversations/mutations/conversation-mutations.ts'
import { TypingStatus } from '#web/conversations/presence/typing.tsx'
import { useSendViewing } from '#web/conversations/presence/use-send-viewing.ts'
import { quoteOf } from '#web/conversations/cache/merge-fetched.ts'
import { conversationQueries, openRow } from '#web/conversations/cache/queries.ts'
import { ChatHeader } from '#web/conversations/chat/header/chat-header.tsx'
import { ConversationSkeleton } from './chat-skeleton.tsx'
import { Composer } from '#web/conversations/chat/composer/composer.tsx'
import type { Editing } from '#web/conversations/chat/composer/use-edit.ts'
import { shownCountQuery, useScheduledStrip } from '#web/conversations/scheduled/strip-query.ts'
import { useNumberParts } from '#web/conversations/numbers/use-number-parts.ts'
import { ChatSections } from '#web/conversations/chat/panel/chat-sections.tsx'
import { MessageTimeline } from '#web/conversations/chat/timeline/message-timeline.tsx'
import { usePanelOpen } from '#web/conversations/chat/panel/panel-open.ts'
import { useChatSearch } from '#web/conversations/chat/search/use-chat-search.ts'
import { KeptNote, ModeSwitch } from '#web/conversations/chat/notes/mode-switch.tsx'
import { useNoteMode } from '#web/conversations/chat/notes/use-note-mode.ts'
import { useMessageDialogs } from './message-dialogs.tsx'
import { useChatFallbacks } from './use-chat-fallbacks.ts'
import { useUndo } from './use-undo.ts'
import { useEscapeToComposer } from './use-escape-to-composer.ts'

const RunMacroDialog = onDemand(
  async () => (await import('#web/conversations/chat/dialogs/run-macro-dialog.tsx')).RunMacroDialog,
)

/** One conversation: header, timeline, composer and contact panel. */
export function ChatPane({ id, me }: { id: number; me: Me }) {
  const client = useQueryClient()
  // Of a queue of theirs, before they take it: nothing else of it is for them.
  const { data: card } = useQuery({
    ...conversationQueries.open(),
    select: (rows) => rows.find((row) => row.id === id && row.isCard),
  })
  // To say why it is shown no longer.
  const [seen, setSeen] = useState<Conversation>()
  // The row of the list is shown at once, until the fetch brings a newer one.
  const placeholderData = openRow(client, id)
  const {
    data: conversation,
    isError,
    refetch,
  } = useQuery({ ...conversationQueries.one(id), placeholderData, enabled: !card })
  const shown = card ?? conversation
  if (shown && !seen) setSeen(shown)
  const parts = useChatFallbacks(conversation === null || card !== undefined)
  if (card) return parts ? <parts.CardPane conversation={card} /> : <ConversationSkeleton />
  if (conversation === null && parts) return <parts.ChatNotFound before={seen} />
  if (conversation) return <Chat conversation={conversation} me={me} />
  return (
    <section aria-label="Conversa" className="flex min-w-0 flex-1 flex-col bg-thread">
      {isError ? (
        <ErrorState description="Não foi possível carregar a conversa." onRetry={() => void refetch()} />
      ) : (
        <ConversationSkeleton />
      )}
    </section>
  )
}

function Chat({ conversation, me }: { conversation: Conversation; me: Me }) {
  const [isPanelOpen, setPanelOpen] = usePanelOpen()
  const field = useRef<HTMLTextAreaElement>(null)
  const isCompleted = conversation.status === 'completed'
  const parts = useNumberParts()
  const { data: scheduledCount = 0 } = useQuery(shownCountQuery(conversation.id))
  const strip = useScheduledStrip(scheduledCount > 0)
  const { attachments, add, setAttachments } = useAttachments()
  const onFiles = useCallback((...given: Parameters<typeof add>) => void add(...given), [add])
  const note = useNoteMode(conversation, me.id, field)
  const { change: changeMode, NoteComposer } = note
  const leaveNote = useCallback(() => changeMode(false), [changeMode])
  const { onQuote, onEdit, onEditLast, editing, onEditDone } = useWriting(
    conversation.id,
    me,
    field,
    leaveNote,
  )
  const onUndo = useUndo(conversation.id, me, field, add)
  const { onDelete, onForward, onDetails, onKeep, dialog } = useMessageDialogs(conversation.contact.name)
  const { open: onSearch, search } = useChatSearch(field)
  const [isSummarized, setSummarized] = useState(false)
  /** The macro that is about to be run; null: it is still to be chosen. */
  const [macro, setMacro] = useState<number | null>()
  const focusComposer = useEscapeToComposer(field)
  useEffect(fetchAhead, [])
  const modes = note.canWrite && <ModeSwitch isNote={note.isNote} onChange={changeMode} />
  useRecordedView(conversation.id, conversation.returnedAt)
  useSendViewing(conversation.id)
  return (
    <>
      <DropZone
        label={`Conversa com ${conversation.contact.name}`}
        className="flex min-w-0 flex-1 flex-col bg-thread"
        onFiles={isCompleted && !note.isNote ? undefined : onFiles}
      >
        <ChatHeader
          conversation={conversation}
          userId={me.id}
          onTaken={focusComposer}
          onSearch={onSearch}
          onSummarize={() => setSummarized(true)}
          onMacro={setMacro}
          isPanelOpen={isPanelOpen}
          onTogglePanel={() => setPanelOpen(!isPanelOpen)}
        />
        {isSummarized && !isCompleted && (
          <SummaryPanel
            conversationId={conversation.id}
            messageCount={conversation.messageCount}
            onClose={() => setSummarized(false)}
          />
        )}
        {strip && <strip.ScheduledStrip conversationId={conversation.id} />}
        <TypingStatus conversationId={conversation.id} />
        <MessageTimeline
          conversation={conversation}
          search={search}
          onQuote={isCompleted ? undefined : onQuote}
          onEdit={isCompleted ? undefined : onEdit}
          onDelete={isCompleted ? undefined : onDelete}
          onEditNote={note.canWrite ? note.onEdit : undefined}
          onDeleteNote={note.canWrite ? onDelete : undefined}
          onForward={onForward}
          onDetails={onDetails}
          onKeep={onKeep}
          onUndo={isCompleted ? undefined : onUndo}
        />
        {NoteComposer ? (
          <NoteComposer
            conversationId={conversation.id}
            me={me}
            editing={note.editing}
            field={field}
            attachments={attachments}
            onFiles={onFiles}
            onAttachments={setAttachments}
            modes={!isCompleted && modes}
            onDone={leaveNote}
          />
        ) : isCompleted ? (
          <div
            className={[
              'flex-none border-t border-line bg-surface px-4 py-3.5',
              'text-center text-sm text-ink-2',
            ].join(' ')}
          >
            <p>Esta conversa foi finalizada. Para responder, espere que o cliente escreva de novo.</p>
            {note.canWrite && (
              <Button
                size="sm"
                icon={Lock}
                className="mt-2"
                aria-keyshortcuts="Alt+N"
                onClick={() => changeMode(true)}
              >
                Nota interna
              </Button>
            )}
          </div>
        ) : note.isNote ? (
          // Until the field of notes is there: what is typed must not become a reply to the client.
          <footer className="flex-none border-t border-line bg-surface p-3">{modes}</footer>
        ) : (
          <>
            {parts && <parts.NumberNotice instanceId={conversation.instanceId} />}
            <Composer
              chat={{ conversationId: conversation.id }}
              contactName={conversation.contact.name}
              values={{
                contact: conversation.contact.name,
                company: conversation.contact.company?.name ?? '',
                protocol: conversation.protocol,
                operator: me.name,
              }}
              sectorId={conversation.sectorId}
              me={me}
              editing={editing}
              onEditDone={onEditDone}
              onEditLast={onEditLast}
              onMacro={setMacro}
              field={field}
              modes={modes}
              below={note.canWrite && <KeptNote userId={me.id} conversationId={conversation.id} />}
              attachments={attachments}
              onFiles={onFiles}
              onAttachments={setAttachments}
            />
          </>
        )}
      </DropZone>
      {isPanelOpen && (
        <ContactPanel contact={conversation.contact} onClose={() => setPanelOpen(false)}>
          {parts && <parts.NumberSection conversation={conversation} />}
          <ChatSections {...conversation} />
        </ContactPanel>
      )}
      {dialog}
      {macro !== undefined && (
        <RunMacroDialog
          conversation={conversation}
          macroId={macro ?? undefined}
          onClose={() => setMacro(undefined)}
        />
      )}
    </>
  )
}

/** What the composer is writing: a reply to a message, or an edit of one. */
function useWriting(
  conversationId: number,
  me: Me,
  field: RefObject<HTMLTextAreaElement | null>,
  leaveNote: () => void,
) {
  const client = useQueryClient()
  const chat = useMemo(() => ({ conversationId }), [conversationId])
  const { change } = useChangeDraft(me.id, chat)
  const [editing, setEditing] = useState<Editing>()
  const onQuote = useCallback(
    (message: Message) => {
      leaveNote()
      setEditing(undefined)
      change({ quoted: quoteOf(message) })
      field.current?.focus()
    },
    [change, field, leaveNote],
  )
  const onEdit = useCallback(
    (message: Message) => {
      leaveNote()
      setEditing({ message, text: refusedEdit(client, conversationId, message.id) ?? message.content })
      field.current?.focus()
    },
    [client, conversationId, field, leaveNote],
  )
  const onEditLast = () => {
    // While a send is pending, it is the message meant; editing the one before it would surprise.
    if (isSending(client, chat)) return
    const pages = client.getQueryData(conversationQueries.messages(conversationId).queryKey)?.pages ?? []
    const isMeant = (message: Message) =>
      message.senderId === me.id &&
      message.deletedAt === null &&
      message.deliveryStatus !== 'failed' &&
      hasEditableWords(message)
    const last = pages.map((page) => page.findLast(isMeant)).find((message) => message !== undefined)
    if (last && isEditable(last, me.id, serverNow())) onEdit(last)
  }
  const onEditDone = useCallback(() => {
    setEditing(undefined)
    field.current?.focus()
  }, [field])
  return { onQuote, onEdit, onEditLast, editing, onEditDone }
}
