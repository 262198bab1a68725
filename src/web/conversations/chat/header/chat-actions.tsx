import {
  ArrowRightLeft,
  Check,
  CirclePause,
  EllipsisVertical,
  MessageSquareDot,
  Search,
  Tag,
  Timer,
  TimerOff,
  Trash2,
  Undo2,
  UserRoundPlus,
  Zap,
} from 'lucide-react'
import { useQuery } from '@tanstack/react-query'
import { createElement } from 'react'
import { useLocation } from 'wouter'
import { type Conversation, priorities } from '#shared/conversations/conversations.ts'
import { inactivityMinutes } from '#shared/settings/inactivity.ts'
import { priorityLabels } from '#shared/text/text.ts'
import { useMacros } from '#web/macros/macros.tsx'
import { useCan, useMe } from '#web/users/users.tsx'
import { Button } from '#web/ui/buttons/button.tsx'
import { IconButton } from '#web/ui/buttons/icon-button.tsx'
import { cn } from '#web/ui/cn.ts'
import { tooltip } from '#web/ui/overlays/tooltip.ts'
import { Menu, MenuChoice, MenuItem, MenuLine } from '#web/ui/overlays/menu.tsx'
import { toast } from '#web/ui/states/toast.ts'
import {
  toastRefusal,
  useAssign,
  useAutoClose,
  usePrioritize,
} from '#web/conversations/mutations/conversation-mutations.ts'
import { AgentItem, SummarizeButton, SummarizeItem } from './assistant-actions.tsx'
import { type ChatDialog, useChatCommands } from './chat-commands.ts'
import { followingQuery, useFollowParts } from './following-query.ts'
import { listAddress } from '#web/conversations/cache/list-place.ts'
import { useMarkUnread } from '#web/conversations/mutations/reads.ts'

// Beside an open panel on a small screen the name of the contact needs the room.
const hiddenWhereNarrow = '@max-[640px]:sr-only'
const iconWhereNarrow = '@max-[640px]:w-8 @max-[640px]:px-0 @max-[640px]:[&>svg]:ml-0'

/** The actions on an open conversation. On narrow screens most of them are in the menu. */
export function ChatActions({
  conversation,
  userId,
  onTaken,
  onSearch,
  onSummarize,
  onMacro,
  onAsk,
}: {
  conversation: Conversation
  userId: number
  /** The button that was pressed is gone then, and the focus with it. */
  onTaken: () => void
  onSearch: () => void
  onSummarize: () => void
  onMacro: (id: number | null) => void
  /** Opens one of `ChatDialogs`. */
  onAsk: (dialog: ChatDialog) => void
}) {
  const assign = useAssign(conversation)
  const autoClose = useToggledAutoClose(conversation)
  const priority = usePrioritize(conversation)
  const canDelete = useCan('deleteConversation')
  const { hasTags } = useMe()
  const { macros } = useMacros()
  const mayTag = useCan('viewConversations') && hasTags
  const isFree = conversation.assignedUserId === null
  // One that nobody has is taken first.
  const maySnooze = useCan('snooze') && (!isFree || conversation.snoozedUntil !== undefined)
  const canBeUnread = conversation.contactMessageCount > 0
  // Awaits promises rather than using callbacks: another chat may be open before the answer comes.
  const refused = (title: string) => (error: Error) => toastRefusal(title, error)
  const take = () => {
    if (!assign.isPending) assign.mutateAsync(userId).then(onTaken, refused('Erro ao assumir conversa'))
  }
  const giveBack = () => void assign.mutateAsync(null).catch(refused('Erro ao devolver à fila'))
  const prioritize = (next: Conversation['priority']) =>
    void priority.mutateAsync(next).catch(refused('Erro ao mudar a prioridade'))
  const putOff = usePutOff(conversation)
  useChatCommands({
    isFree,
    maySnooze,
    canDelete,
    mayTag,
    autoClose,
    conversation,
    take,
    giveBack,
    prioritize,
    putOff: canBeUnread ? putOff : undefined,
    search: onSearch,
    ask: onAsk,
    macros,
    runMacro: onMacro,
  })
  return (
    <>
      <Followed conversationId={conversation.id} />
      {isFree && (
        <Button
          variant="primary"
          icon={UserRoundPlus}
          isBusy={assign.isPending}
          busyLabel="Assumindo..."
          aria-keyshortcuts="Alt+A"
          className="max-md:px-2.5 max-md:[&>svg]:hidden"
          onClick={take}
        >
          Assumir
        </Button>
      )}
      <SummarizeButton
        conversationId={conversation.id}
        className={cn('max-md:hidden', iconWhereNarrow)}
        labelClassName={hiddenWhereNarrow}
        onSummarize={onSummarize}
      />
      <Button
        icon={ArrowRightLeft}
        aria-keyshortcuts="Alt+T"
        className={cn('max-md:hidden', iconWhereNarrow)}
        {...tooltip('Transferir (Alt+T)')}
        onClick={() => onAsk('transfer')}
      >
        <span className={hiddenWhereNarrow}>Transferir</span>
      </Button>
      <Button
        variant={isFree ? 'outline' : 'primary'}
        icon={Check}
        aria-keyshortcuts="Alt+L"
        className={cn('max-md:hidden', isFree && iconWhereNarrow)}
        {...tooltip('Finalizar (Alt+L)')}
        onClick={() => onAsk('finalize')}
      >
        <span className={cn(isFree && hiddenWhereNarrow)}>Finalizar</span>
      </Button>
      <IconButton
        label="Finalizar"
        icon={Check}
        tone={isFree ? 'plain' : 'accent'}
        className="md:hidden"
        onClick={() => onAsk('finalize')}
      />
      {maySnooze && (
        <IconButton
          label="Lembrar"
          icon={CirclePause}
          aria-keyshortcuts="Alt+S"
          className="max-md:hidden"
          onClick={() => onAsk('snooze')}
        />
      )}
      <Menu trigger={<IconButton label="Mais ações" icon={EllipsisVertical} />}>
        <div className="md:hidden">
          <MenuItem icon={ArrowRightLeft} leadsElsewhere onSelect={() => onAsk('transfer')}>
            Transferir
          </MenuItem>
          {maySnooze && (
            <MenuItem icon={CirclePause} leadsElsewhere onSelect={() => onAsk('snooze')}>
              Lembrar
            </MenuItem>
          )}
          <SummarizeItem conversationId={conversation.id} onSummarize={onSummarize} />
          <MenuLine />
        </div>
        <MenuItem icon={autoClose.icon} onSelect={autoClose.toggle}>
          {autoClose.label}
        </MenuItem>
        <MenuItem icon={Search} leadsElsewhere onSelect={onSearch}>
          Buscar na conversa
        </MenuItem>
        {mayTag && (
          <MenuItem icon={Tag} leadsElsewhere onSelect={() => onAsk('tags')}>
            Etiquetas
          </MenuItem>
        )}
        {macros.length > 0 && (
          <MenuItem icon={Zap} leadsElsewhere onSelect={() => onMacro(null)}>
            Rodar macro
          </MenuItem>
        )}
        <Follow conversationId={conversation.id} />
        <MenuLine />
        <AgentItem conversationId={conversation.id} />
        <MenuChoice
          label="Prioridade"
          options={priorityOptions}
          value={conversation.priority}
          onChoose={prioritize}
        />
        {(canBeUnread || !isFree) && <MenuLine />}
        {canBeUnread && (
          <MenuItem icon={MessageSquareDot} leadsElsewhere onSelect={putOff}>
            Marcar como não lida
          </MenuItem>
        )}
        {!isFree && (
          <MenuItem icon={Undo2} onSelect={giveBack}>
            Devolver à fila
          </MenuItem>
        )}
        {canDelete && (
          <>
            <MenuLine />
            <MenuItem icon={Trash2} isDanger leadsElsewhere onSelect={() => onAsk('delete')}>
              Excluir
            </MenuItem>
          </>
        )}
      </Menu>
    </>
  )
}

function Follow(props: { conversationId: number }) {
  const parts = useFollowParts()
  return parts && createElement(parts.FollowItem, props)
}

/** Only where it is so: most conversations nobody follows. */
function Followed(props: { conversationId: number }) {
  const { data } = useQuery(followingQuery(props.conversationId))
  const parts = useFollowParts(data?.isFollowed ?? false)
  return parts && createElement(parts.FollowMark, props)
}

/** 'Marcar como não lida' leads back to the list, since staying would mark it as read again. */
function usePutOff(conversation: Conversation): () => void {
  const markUnread = useMarkUnread(conversation)
  const [, navigate] = useLocation()
  return () => {
    markUnread()
    navigate(listAddress())
  }
}

const priorityOptions = priorities.toReversed().map((value) => ({ value, label: priorityLabels[value] }))

/** The switch for auto-close. @see specification §4 Auto-close */
function useToggledAutoClose(conversation: Conversation) {
  const { mutate, isPending } = useAutoClose(conversation)
  const isOff = conversation.disableAutoClose
  return {
    isPending,
    label: isOff ? 'Ativar Auto-Close' : 'Desativar Auto-Close',
    icon: isOff ? Timer : TimerOff,
    toggle: () =>
      mutate(!isOff, {
        onSuccess: () =>
          toast({
            tone: 'success',
            title: isOff
              ? `Fechamento automático após ${inactivityMinutes} minutos ativado`
              : `Fechamento automático após ${inactivityMinutes} minutos desativado`,
          }),
        onError: (error) => toastRefusal('Erro ao alterar configuração de fechamento automático', error),
      }),
  }
}
