import { useQuery } from '@tanstack/react-query'
import { useCallback, useRef, useState } from 'react'
import type { Conversation, Message } from '#shared/conversations.ts'
import type { Me } from '#shared/users.ts'
import { ContactPanel } from '#web/contacts/contacts.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { DropZone } from '../attach/drop-zone.tsx'
import { useAttachments } from '../attach/use-attachments.ts'
import { useRecordedView } from '../acts.ts'
import { conversationQueries } from '../queries.ts'
import { ChatHeader } from './chat-header.tsx'
import { ChatNotFound } from './chat-not-found.tsx'
import { Composer } from './composer.tsx'
import { MessageTimeline } from './message-timeline.tsx'
import { usePanelOpen } from './panel-open.ts'
import { TimelineSkeleton } from './timeline-skeleton.tsx'
import { useEscapeToComposer } from './use-escape-to-composer.ts'

/** One conversation: header, timeline, composer and the contact beside it. */
export function ChatPane({ id, me }: { id: number; me: Me }) {
  const { data: conversation, isError, refetch } = useQuery(conversationQueries.one(id))
  if (conversation === null) return <ChatNotFound />
  if (conversation) return <Chat conversation={conversation} me={me} />
  return (
    <section aria-label="Conversa" className="flex min-w-0 flex-1 flex-col bg-thread">
      {isError ? (
        <ErrorState description="Não foi possível carregar a conversa." onRetry={() => void refetch()} />
      ) : (
        <>
          <HeaderSkeleton />
          <TimelineSkeleton />
        </>
      )}
    </section>
  )
}

function Chat({ conversation, me }: { conversation: Conversation; me: Me }) {
  const [quoted, setQuoted] = useState<Message>()
  const [isPanelOpen, setPanelOpen] = usePanelOpen()
  const field = useRef<HTMLTextAreaElement>(null)
  const isCompleted = conversation.status === 'completed'
  const { attachments, add, setAttachments } = useAttachments()
  const onFiles = useCallback((files: readonly File[]) => void add(files), [add])
  const onQuote = useCallback((message: Message) => {
    setQuoted(message)
    field.current?.focus()
  }, [])
  useEscapeToComposer(field)
  useRecordedView(conversation.id)
  return (
    <>
      <DropZone
        label={`Conversa com ${conversation.contact.name}`}
        className="flex min-w-0 flex-1 flex-col bg-thread"
        onFiles={isCompleted ? undefined : onFiles}
      >
        <ChatHeader
          conversation={conversation}
          userId={me.id}
          isPanelOpen={isPanelOpen}
          onTogglePanel={() => setPanelOpen(!isPanelOpen)}
        />
        <MessageTimeline conversation={conversation} onQuote={isCompleted ? undefined : onQuote} />
        {isCompleted ? (
          <p className="flex-none border-t border-line bg-surface px-4 py-3.5 text-center text-sm text-ink-2">
            Esta conversa foi finalizada. Para responder, espere que o cliente escreva de novo.
          </p>
        ) : (
          <Composer
            chat={{ conversationId: conversation.id }}
            contactName={conversation.contact.name}
            values={{
              contact: conversation.contact.name,
              company: conversation.contact.company?.name ?? '',
              protocol: conversation.protocol,
              operator: me.name,
            }}
            me={me}
            quoted={quoted}
            onQuoteDone={() => setQuoted(undefined)}
            field={field}
            attachments={attachments}
            onFiles={onFiles}
            onAttachments={setAttachments}
          />
        )}
      </DropZone>
      {isPanelOpen && <ContactPanel contact={conversation.contact} onClose={() => setPanelOpen(false)} />}
    </>
  )
}

function HeaderSkeleton() {
  return (
    <div className="h-[87px] flex-none border-b border-line bg-surface px-3 pt-2">
      <div className="flex items-center gap-2.5">
        <Skeleton className="size-9 rounded-full" />
        <Skeleton className="h-3 w-48" />
      </div>
      <Skeleton className="mt-3 h-3 w-72 max-w-full" />
    </div>
  )
}
