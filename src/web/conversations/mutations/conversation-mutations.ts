import { type MutationKey, useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useLocation } from 'wouter'
import {
  assignOperator,
  deleteConversation,
  finalizeConversation,
  setPriority,
  toggleAutoClose,
  transferConversation,
  viewConversation,
} from '#shared/conversations/conversation-endpoints.ts'
import type { Conversation } from '#shared/conversations/conversations.ts'
import { ApiError, call } from '#web/platform/api/api.ts'
import { toast } from '#web/ui/states/toast.ts'
import { isOnlyKept, keepShown } from '#web/conversations/cache/kept-shown.ts'
import { patchConversation } from '#web/conversations/cache/live-patches.ts'
import { listAddress } from '#web/conversations/cache/list-place.ts'
import { conversationQueries } from '#web/conversations/cache/queries.ts'

/**
 * A mutation of a conversation. Its answer is shown at once; after a refusal the conversation is refetched.
 * `holderId` is the holder this screen showed: the server refuses if somebody else was first.
 */
function useAct<Body>(conversationId: number, act: (body: Body) => Promise<{ conversation: Conversation }>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: act,
    onSuccess: ({ conversation }) => patchConversation(client, conversationId, conversation),
    onError: () => client.invalidateQueries({ queryKey: conversationQueries.one(conversationId).queryKey }),
  })
}

export type Acted = Pick<Conversation, 'id' | 'assignedUserId'>

/** The same for an act after which the person may no longer see the conversation. */
function useParting<Body>(
  id: number,
  act: (body: Body) => Promise<{ conversation: Conversation }>,
  mutationKey?: MutationKey,
) {
  const client = useQueryClient()
  const remove = () => patchConversation(client, id, null)
  return useMutation({
    ...(mutationKey && { mutationKey }),
    mutationFn: (body: Body) => keepShown(id, () => act(body), remove),
    onSuccess: ({ conversation }) => {
      // No list shows it any more.
      if (isOnlyKept(id)) client.setQueryData(conversationQueries.one(id).queryKey, conversation)
      else patchConversation(client, id, conversation)
    },
    onError: () => client.invalidateQueries({ queryKey: conversationQueries.one(id).queryKey }),
  })
}

/** 'Assumir', or 'Devolver à fila' with null. */
export function useAssign({ id, assignedUserId: holderId }: Acted) {
  return useParting(id, (operatorId: number | null) =>
    call(assignOperator, { params: { id }, body: { operatorId, holderId } }),
  )
}

export function useTransfer({ id, assignedUserId: holderId }: Acted) {
  return useParting(
    id,
    (body: { newOperatorId: number; sectorId?: number; note: string; endsSnooze?: boolean }) =>
      call(transferConversation, { params: { id }, body: { ...body, holderId } }),
  )
}

export function finalizeKey(id: number) {
  return ['finalize', id] as const
}

/** What a screen showed of a conversation when an act on it was begun. */
export interface Seen {
  holderId: number | null
  /** The newest message; undefined: none. */
  messageId: number | undefined
}

/** What is said of a conversation by whoever finalizes it. */
export interface End {
  notes: string
  /** undefined: none. */
  reasonId: number | undefined
  /** Given to it before it ends. */
  tagIds: readonly number[]
}

/**
 * Refused when the client has written something that this screen did not show. For a moment it can be undone.
 */
export function useFinalize(id: number, seen: Seen) {
  return useParting(id, (end: End) => finalizeSeen(id, seen, end, true), finalizeKey(id))
}

export function finalizeSeen(
  id: number,
  { holderId, messageId }: Seen,
  { notes, reasonId, tagIds }: End,
  isUndoable = false,
): Promise<{ conversation: Conversation }> {
  return call(finalizeConversation, {
    params: { id },
    body: {
      notes,
      holderId,
      ...(reasonId !== undefined && { reasonId }),
      ...(tagIds.length > 0 && { tagIds: [...tagIds] }),
      ...(isUndoable && { isUndoable }),
      ...(messageId !== undefined && { seenMessageId: messageId }),
    },
  })
}

export function useAutoClose({ id }: Acted) {
  return useAct(id, (disableAutoClose: boolean) =>
    call(toggleAutoClose, { params: { id }, body: { disableAutoClose } }),
  )
}

export function usePrioritize({ id }: Acted) {
  return useAct(id, (priority: Conversation['priority']) =>
    call(setPriority, { params: { id }, body: { priority } }),
  )
}

/** The caller removes the conversation from the screen. @param seenMessageId the last that it shows */
export function useDeleteConversation(id: number, seenMessageId: number | undefined) {
  return useMutation({
    mutationFn: () => call(deleteConversation, { params: { id }, query: { seenMessageId } }),
  })
}

/**
 * Records that the person opened the chat, and that it is in front of them after it has returned from hold.
 * Failures are ignored, since nothing depends on it.
 */
export function useRecordedView(conversationId: number, returnedAt?: string): void {
  useEffect(() => {
    const enter = () => {
      const entered = { params: { id: conversationId }, body: { action: 'enter' as const } }
      call(viewConversation, entered).catch(() => undefined)
    }
    // One that returns while nobody looks at the window is new until somebody does.
    if (returnedAt === undefined || document.hasFocus()) enter()
    if (returnedAt === undefined) return undefined
    window.addEventListener('focus', enter)
    return () => window.removeEventListener('focus', enter)
  }, [conversationId, returnedAt])
}

const leaveAfterMs = 1000

/**
 * Returns to the list as it was left, a moment after a transfer or completion, unless the person has already
 * left the chat. Each call takes what says by then that they stay, and returns what keeps them there.
 * @see specification §4
 */
export function useLeaveChat(conversationId: number): (isStaying?: () => boolean) => () => void {
  const [, navigate] = useLocation()
  return (isStaying) => {
    const timer = setTimeout(() => {
      if (isInChat(conversationId) && !isStaying?.()) navigate(listAddress())
    }, leaveAfterMs)
    return () => clearTimeout(timer)
  }
}

/** Whether the person is in the chat of this conversation. */
export function isInChat(conversationId: number): boolean {
  return new URLSearchParams(window.location.search).get('conversation') === `${conversationId}`
}

/** Whether an act was refused because of what others have done meanwhile, which the refusal says. */
export function isConflict(error: unknown): boolean {
  return error instanceof ApiError && error.status === 409
}

/** Toasts why an action was refused. */
export function toastRefusal(title: string, { message }: Error): void {
  toast({ tone: 'error', title, ...(message && { description: message }) })
}
