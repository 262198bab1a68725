import {
  ArrowRightLeft,
  Bell,
  Check,
  CirclePause,
  Flag,
  type LucideIcon,
  MessageSquareDot,
  Search,
  Tag,
  Trash2,
  Undo2,
  UserRoundPlus,
  Zap,
} from 'lucide-react'
import { type Conversation, priorities } from '#shared/conversations/conversations.ts'
import type { Macro } from '#shared/macros/macros.ts'
import { priorityLabels } from '#shared/text/text.ts'
import { useQueryClient } from '@tanstack/react-query'
import { type Command, type CommandLetter, useCommands } from '#web/platform/commands.ts'

export type ChatDialog = 'transfer' | 'finalize' | 'snooze' | 'delete' | 'tags'

interface Acts {
  conversation: Conversation
  isFree: boolean
  maySnooze: boolean
  mayTag: boolean
  canDelete: boolean
  autoClose: { label: string; icon: LucideIcon; toggle: () => void }
  take: () => void
  giveBack: () => void
  /** undefined when there is nothing to mark as unread. */
  putOff: (() => void) | undefined
  prioritize: (next: Conversation['priority']) => void
  search: () => void
  ask: (dialog: ChatDialog) => void
  macros: readonly Macro[]
  runMacro: (id: number) => void
}

/** Offers the header's actions in the command palette. */
export function useChatCommands(acts: Acts): void {
  const { conversation, isFree, maySnooze, mayTag, canDelete, autoClose, search, ask } = acts
  const { macros, runMacro } = acts
  const { take, giveBack, prioritize, putOff } = acts
  const client = useQueryClient()
  const follow = () =>
    void import('./follow-item.tsx').then(({ toggleFollowing }) => toggleFollowing(client, conversation.id))
  useCommands([
    isFree
      ? command('take', 'Assumir', UserRoundPlus, take, 'A')
      : command('give-back', 'Devolver à fila', Undo2, giveBack),
    command('transfer', 'Transferir', ArrowRightLeft, () => ask('transfer'), 'T'),
    command('finalize', 'Finalizar', Check, () => ask('finalize'), 'L'),
    ...(maySnooze ? [command('snooze', 'Lembrar', CirclePause, () => ask('snooze'), 'S')] : []),
    ...(mayTag ? [command('tags', 'Etiquetas', Tag, () => ask('tags'), 'E')] : []),
    command('search', 'Buscar na conversa', Search, search),
    command('follow', 'Seguir ou deixar de seguir', Bell, follow),
    command('auto-close', autoClose.label, autoClose.icon, autoClose.toggle),
    ...(putOff ? [command('unread', 'Marcar como não lida', MessageSquareDot, putOff)] : []),
    ...priorities
      .filter((value) => value !== conversation.priority)
      .map((value) =>
        command(`priority ${value}`, `Prioridade ${priorityLabels[value]}`, Flag, () => prioritize(value)),
      ),
    ...macros.map(({ id, name }) => command(`macro ${id}`, `Macro: ${name}`, Zap, () => runMacro(id))),
    ...(canDelete ? [command('delete', 'Excluir', Trash2, () => ask('delete'))] : []),
  ])
}

function command(
  id: string,
  label: string,
  icon: LucideIcon,
  run: () => void,
  letter?: CommandLetter,
): Command {
  return { id: `chat ${id}`, group: 'Esta conversa', label, icon, run, ...(letter && { letter }) }
}
