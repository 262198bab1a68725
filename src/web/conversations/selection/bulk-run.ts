import type { QueryClient } from '@tanstack/react-query'
import {
  getConversation,
  transferConversation,
  undoFinalize,
} from '#shared/conversations/conversation-endpoints.ts'
import type { Conversation } from '#shared/conversations/conversations.ts'
import { markRead } from '#shared/conversations/reads.ts'
import { tagConversation } from '#shared/tags/conversation-tags.ts'
import { ApiError, call } from '#web/platform/api/api.ts'
import { type End, finalizeSeen } from '#web/conversations/mutations/conversation-mutations.ts'
import { patchConversation, patchRead } from '#web/conversations/cache/live-patches.ts'
import { conversationQueries, openRow } from '#web/conversations/cache/queries.ts'

/** What became of one conversation. Only a failure may have another outcome when it is tried again. */
export type Outcome = { kind: 'done' } | { kind: 'refused' | 'failed'; reason: string }

/** What is done with each of several conversations, by the call that does it with one. */
export interface BulkAct {
  /** 'Finalizada', 'Transferida para Bruno' */
  doneLabel: (row: Conversation) => string
  /** '2 conversas finalizadas' */
  doneText: (count: number) => string
  act: (client: QueryClient, row: Conversation) => Promise<void>
  /** Whether a conversation is as the act would leave it. */
  isDone: (row: Conversation) => boolean
  /** Takes it back for a conversation, as long as the server holds it; absent: it cannot be undone. */
  undo?: (client: QueryClient, id: number) => Promise<void>
}

/** An act that is not attempted. */
class Refusal extends Error {}

export function finalizing(end: End): BulkAct {
  return {
    doneLabel: () => 'Finalizada',
    doneText: (count) => (count === 1 ? '1 conversa finalizada' : `${count} conversas finalizadas`),
    act: async (client, row) => {
      const seen = { holderId: row.assignedUserId, messageId: row.lastMessage?.id }
      const { conversation } = await finalizeSeen(row.id, seen, end, true)
      patchConversation(client, row.id, conversation)
    },
    isDone: ({ status }) => status === 'completed',
    undo: async (client, id) => {
      const { conversation } = await call(undoFinalize, { params: { id } })
      patchConversation(client, id, conversation)
    },
  }
}

export function transferring(to: { id: number; name: string }, note: string): BulkAct {
  return {
    doneLabel: () => `Transferida para ${to.name}`,
    doneText: (count) =>
      `${count === 1 ? '1 conversa transferida' : `${count} conversas transferidas`} para ${to.name}`,
    act: (client, row) => transfer(client, row, to.id, note),
    isDone: ({ assignedUserId }) => assignedUserId === to.id,
  }
}

/** @param plan who receives each conversation, by its id */
export function distributing(plan: ReadonlyMap<number, { id: number; name: string }>): BulkAct {
  const receiverOf = ({ id }: Conversation) => plan.get(id)
  return {
    doneLabel: (row) => `Para ${receiverOf(row)?.name ?? 'ninguém'}`,
    doneText: (count) => (count === 1 ? '1 conversa distribuída' : `${count} conversas distribuídas`),
    act: async (client, row) => {
      const to = receiverOf(row)
      if (to) await transfer(client, row, to.id)
    },
    isDone: (row) => row.assignedUserId === receiverOf(row)?.id,
  }
}

async function transfer(
  client: QueryClient,
  { id, assignedUserId: holderId }: Conversation,
  newOperatorId: number,
  note?: string,
): Promise<void> {
  const body = { newOperatorId, holderId, ...(note !== undefined && { note }) }
  const { conversation } = await call(transferConversation, { params: { id }, body })
  patchConversation(client, id, conversation)
}

export function tagging(change: { add: number[]; remove: number[] }): BulkAct {
  return {
    doneLabel: () => 'Etiquetas mudadas',
    doneText: (count) =>
      count === 1 ? 'Etiquetas de 1 conversa mudadas' : `Etiquetas de ${count} conversas mudadas`,
    act: async (client, { id }) => {
      const { conversation } = await call(tagConversation, { params: { id }, body: change })
      patchConversation(client, id, conversation)
    },
    isDone: ({ tagIds = [] }) =>
      change.add.every((id) => tagIds.includes(id)) && !change.remove.some((id) => tagIds.includes(id)),
  }
}

/** @param unread the unread messages of a conversation */
export function readingAll(unread: (row: Conversation) => number): BulkAct {
  return {
    doneLabel: () => 'Marcada como lida',
    doneText: (count) =>
      count === 1 ? '1 conversa marcada como lida' : `${count} conversas marcadas como lidas`,
    act: async (client, row) => {
      const { id, lastMessage } = row
      // The call would accept it, and nobody would see a difference.
      if (client.getQueryData(conversationQueries.open().queryKey) && !openRow(client, id))
        throw new Refusal('A conversa não está mais aberta.')
      if (!lastMessage || unread(row) === 0) return
      patchRead(client, await call(markRead, { params: { id }, body: { lastMessageId: lastMessage.id } }))
    },
    isDone: () => false,
  }
}

/** Calls at the same time: others need the server too. */
const atOnce = 4

/**
 * Does something with each of several conversations. Those that were not begun when it is stopped have no
 * outcome.
 * @param isRepeat after a failure: what the server refuses now may have been done by the lost call
 */
export async function runBulk(
  client: QueryClient,
  { act, isDone }: BulkAct,
  options: {
    rows: readonly Conversation[]
    isRepeat: boolean
    isStopped: () => boolean
    onOutcome: (id: number, outcome: Outcome) => void
  },
): Promise<void> {
  const { isRepeat, isStopped, onOutcome } = options
  const waiting = [...options.rows]
  const attempt = async (row: Conversation): Promise<Outcome> => {
    try {
      await act(client, row)
      return { kind: 'done' }
    } catch (error) {
      const outcome = outcomeOf(error)
      if (outcome.kind === 'refused') {
        void client.invalidateQueries({ queryKey: conversationQueries.one(row.id).queryKey })
        if (isRepeat && (await isDoneNow(row.id, isDone))) return { kind: 'done' }
      }
      return outcome
    }
  }
  const work = async () => {
    for (let row = waiting.shift(); row && !isStopped(); row = waiting.shift())
      onOutcome(row.id, await attempt(row))
  }
  await Promise.all(Array.from({ length: atOnce }, work))
}

/** A refusal would be the same again; too many calls at once, a broken server and the network would not. */
function outcomeOf(error: unknown): Exclude<Outcome, { kind: 'done' }> {
  const { message } = error as Error
  const isRefused =
    error instanceof Refusal ||
    (error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 429)
  return { kind: isRefused ? 'refused' : 'failed', reason: message || 'Tente novamente' }
}

async function isDoneNow(id: number, isDone: BulkAct['isDone']): Promise<boolean> {
  return call(getConversation, { params: { id } }).then(isDone, () => false)
}

/** Undoes an act for several conversations. @returns how many are as they were */
export async function undoBulk(
  client: QueryClient,
  undo: NonNullable<BulkAct['undo']>,
  ids: readonly number[],
): Promise<number> {
  const waiting = [...ids]
  let undone = 0
  const work = async () => {
    for (let id = waiting.shift(); id !== undefined; id = waiting.shift())
      await undo(client, id).then(
        () => undone++,
        // It has ended for its client, or goes on because they wrote.
        () => undefined,
      )
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return undone
}

/** Whether it failed, or was not begun. */
export function isRepeatable(outcome: Outcome | undefined): boolean {
  return outcome === undefined || outcome.kind === 'failed'
}

/** '2 conversas finalizadas · 1 recusada · 1 falhou' */
export function summaryOf(
  act: BulkAct,
  rows: readonly Conversation[],
  outcomes: ReadonlyMap<number, Outcome>,
): string {
  const count = (kind?: Outcome['kind']) => rows.filter(({ id }) => outcomes.get(id)?.kind === kind).length
  const [done, refused, failed, left] = [count('done'), count('refused'), count('failed'), count()]
  return [
    done > 0 && act.doneText(done),
    refused > 0 && (refused === 1 ? '1 recusada' : `${refused} recusadas`),
    failed > 0 && (failed === 1 ? '1 falhou' : `${failed} falharam`),
    left > 0 && (left === 1 ? '1 não iniciada' : `${left} não iniciadas`),
  ]
    .filter((part) => part !== false)
    .join(' · ')
}
