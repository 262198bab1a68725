import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Conversation } from '#shared/conversations/conversations.ts'
import { ApiError } from '#web/platform/api/api.ts'
import { conversationQueries } from '#web/conversations/cache/queries.ts'
import { MessagePreview } from '#web/conversations/kinds/message-preview.tsx'

/** The last message that somebody saw when they opened a dialog, for an act that ends the conversation. */
export interface SeenMessage {
  /** What the act carries; undefined where there is no message. */
  id: number | undefined
  /** What the client wrote while the dialog was open, once it is shown. */
  newer: Newer | undefined
  /** @returns whether the error says that the client has just written, which is shown from then on */
  takeNewer(error: unknown): Promise<boolean>
}

interface Newer {
  message: Conversation['lastMessage']
}

/** As it was when the dialog covered the chat: what comes meanwhile is not seen. */
export function useSeenMessage(conversation: Conversation): SeenMessage {
  const client = useQueryClient()
  const [id, setId] = useState(() => newestShown(client, conversation))
  const [newer, setNewer] = useState<Newer>()
  const takeNewer = async (error: unknown) => {
    if (!(error instanceof ApiError) || error.code !== 'conversations.client_wrote') return false
    const now =
      (await client
        .fetchQuery({ ...conversationQueries.one(conversation.id), staleTime: 0 })
        .catch(() => undefined)) ?? conversation
    // What came late stands above the last message: it is among those of the chat.
    setId(newest(id, newestShown(client, now)))
    setNewer({ message: now.lastMessage })
    return true
  }
  return { id, newer, takeNewer }
}

export function NewerMessage({ newer }: { newer: Newer | undefined }) {
  if (!newer) return null
  return (
    <div role="alert" className="rounded-control border border-amber-line bg-amber-soft p-2.5 text-sm">
      <p className="font-medium text-amber-text">O cliente acabou de escrever</p>
      {newer.message && <MessagePreview message={newer.message} />}
    </div>
  )
}

/**
 * The newest message that the chat shows, by arrival: one that was late stands above the last one, and the
 * server would take it for unseen.
 */
function newestShown(client: QueryClient, { id, lastMessage }: Conversation): number | undefined {
  const { pages = [] } = client.getQueryData(conversationQueries.messages(id).queryKey) ?? {}
  return pages.flat().reduce<number | undefined>((last, message) => newest(last, message.id), lastMessage?.id)
}

function newest(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || (b !== undefined && b > a) ? b : a
}
