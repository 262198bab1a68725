import { ArrowLeft, Building2, PanelRight, Search, Timer, TimerOff } from 'lucide-react'
import { createElement, type ReactNode, useState } from 'react'
import { Link } from 'wouter'
import type { ContactCard } from '#shared/contacts/contacts.ts'
import type { Conversation } from '#shared/conversations/conversations.ts'
import { useNow } from '#web/platform/live/server-clock.ts'
import { formatPhone } from '#shared/text/phone.ts'
import { inactivityMinutes } from '#shared/settings/inactivity.ts'
import { hiddenNumber, unknownContact } from '#shared/text/text.ts'
import { ContactCompany } from '#web/contacts/contacts.tsx'
import { Avatar } from '#web/ui/badges/avatar.tsx'
import { cn } from '#web/ui/cn.ts'
import { CopyButton } from '#web/ui/buttons/copy-button.tsx'
import { IconButton } from '#web/ui/buttons/icon-button.tsx'
import { HeaderTyping } from '#web/conversations/presence/typing.tsx'
import { Viewers } from '#web/conversations/presence/viewers.tsx'
import { SlaClock } from '#web/conversations/rows/conversation-clock.tsx'
import { ConversationBadges } from '#web/conversations/rows/conversation-badges.tsx'
import { listAddress } from '#web/conversations/cache/list-place.ts'
import { useNumbers } from '#web/numbers/numbers.tsx'
import { partInPlace } from '#web/platform/loading/in-place.tsx'
import { onDemand } from '#web/ui/on-demand.tsx'
import { useMe } from '#web/users/users.tsx'
import { AgentBadge } from './assistant-actions.tsx'
import { ChatActions } from './chat-actions.tsx'
import type { ChatDialog } from './chat-commands.ts'
import { useCutStrip } from './use-cut-strip.ts'

const ChatDialogs = onDemand(async () => (await import('./chat-dialogs.tsx')).ChatDialogs)
/** Where there are sectors. */
const useSectorMenu = partInPlace(async () => (await import('./sector-menu.tsx')).SectorMenu)
/** Where there are tags. */
const useTagsMenu = partInPlace(async () => (await import('./tags-menu.tsx')).TagsMenu)

/** Of a conversation on hold. */
const useHoldStrip = partInPlace(
  async () => (await import('#web/conversations/snoozing/hold-strip.tsx')).HoldStrip,
)

/** The contact, and the actions on the conversation. */
export function ChatHeader({
  conversation,
  userId,
  onTaken,
  onSearch,
  onSummarize,
  onMacro,
  isPanelOpen,
  onTogglePanel,
}: {
  conversation: Conversation
  userId: number
  /** Called after 'Assumir'. */
  onTaken: () => void
  /** Opens the search in this chat. */
  onSearch: () => void
  /** Opens a summary of the conversation. */
  onSummarize: () => void
  /** Asks before it runs a macro; null: which one is still to be chosen. */
  onMacro: (id: number | null) => void
  isPanelOpen: boolean
  onTogglePanel: () => void
}) {
  const { contact, assignedUser, snoozedUntil } = conversation
  const strip = useHoldStrip(snoozedUntil !== undefined)
  const number = useNumbers().nameOf(conversation.instanceId)
  const { hasSectors, hasTags } = useMe()
  const sectorMenu = useSectorMenu(hasSectors)
  const tagsMenu = useTagsMenu(hasTags)
  const [asked, setAsked] = useState<ChatDialog>()
  return (
    <header className="flex-none border-b border-line bg-surface">
      <Head
        contact={contact}
        line={
          <>
            <HeaderTyping conversationId={conversation.id} />
            {assignedUser ? `com ${assignedUser.name}` : 'sem operador'}
            {number !== undefined && ` · por ${number}`}
          </>
        }
        isCrowded={conversation.assignedUserId === null}
        isPanelOpen={isPanelOpen}
        onTogglePanel={onTogglePanel}
      >
        <Viewers conversationId={conversation.id} />
        {conversation.status === 'completed' ? (
          <IconButton label="Buscar na conversa" icon={Search} onClick={onSearch} />
        ) : (
          <ChatActions
            conversation={conversation}
            userId={userId}
            onTaken={onTaken}
            onSearch={onSearch}
            onSummarize={onSummarize}
            onMacro={onMacro}
            onAsk={setAsked}
          />
        )}
        {asked && (
          <ChatDialogs asked={asked} conversation={conversation} onClose={() => setAsked(undefined)} />
        )}
      </Head>
      <Facts contact={contact} isPanelOpen={isPanelOpen}>
        {sectorMenu && createElement(sectorMenu, { conversation })}
        <ConversationBadges conversation={conversation} parts={['category', 'origin', 'queue', 'priority']} />
        {conversation.sla && <SlaFact sla={conversation.sla} waitingSince={conversation.waitingSince} />}
        {tagsMenu && createElement(tagsMenu, { conversation, onAsk: () => setAsked('tags') })}
        {conversation.subStatus === 'FILA' && <AgentBadge conversationId={conversation.id} />}
        {conversation.status !== 'completed' && !snoozedUntil && (
          <AutoClose isOff={conversation.disableAutoClose} />
        )}
        <Protocol protocol={conversation.protocol} />
      </Facts>
      {strip &&
        snoozedUntil !== undefined &&
        createElement(strip, { conversation, until: snoozedUntil, onChange: () => setAsked('snooze') })}
    </header>
  )
}

export function Head({
  contact,
  line,
  isCrowded = false,
  isPanelOpen,
  onTogglePanel,
  children,
}: {
  contact: ContactCard
  line: ReactNode
  /** On a phone the buttons leave room for the name, and not for the picture as well. */
  isCrowded?: boolean
  isPanelOpen: boolean
  onTogglePanel: () => void
  children?: ReactNode
}) {
  const name = contact.name || unknownContact
  return (
    <div className="@container flex h-[52px] items-center gap-1 pr-1 md:gap-2.5 md:pr-3 md:pl-2.5">
      <Link
        href={listAddress()}
        aria-label="Voltar para conversas ativas"
        title="Voltar para conversas ativas"
        className={[
          'target inline-grid size-8 flex-none place-items-center',
          'rounded-control text-ink-2 hover:bg-hover hover:text-ink',
        ].join(' ')}
      >
        <ArrowLeft aria-hidden size={16} />
      </Link>
      <Avatar name={name} src={contact.avatarUrl} className={cn(isCrowded && 'max-md:hidden')} />
      <div className="min-w-0 flex-1">
        <h1 className="truncate text-base font-semibold" title={name} dir="auto">
          {name}
        </h1>
        <p className="truncate text-xs text-ink-3">{line}</p>
      </div>
      {children}
      <IconButton label="Dados do contato" icon={PanelRight} isOn={isPanelOpen} onClick={onTogglePanel} />
    </div>
  )
}

export function Facts({
  contact,
  isPanelOpen,
  children,
}: {
  contact: ContactCard
  isPanelOpen: boolean
  children: ReactNode
}) {
  const { isCut, ...strip } = useCutStrip()
  return (
    <div
      {...strip}
      role="group"
      aria-label="Dados da conversa"
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls where it is narrow
      tabIndex={0}
      className={[
        '@container relative flex h-[34px] items-center gap-1.5 overflow-x-auto px-3 pb-2',
        'max-md:h-11 max-md:pb-0',
        'pl-3.5 text-xs text-ink-2 [scrollbar-width:none] focus-visible:-outline-offset-2',
        isCut ? '[mask-image:linear-gradient(to_right,black_calc(100%-32px),transparent)]' : '',
      ].join(' ')}
    >
      {/* Beside the open panel, which shows both too, they would clip the protocol. */}
      <span
        className={cn(
          'inline-flex max-w-52 items-center gap-0.5 max-md:flex-none md:min-w-24',
          isPanelOpen && 'md:@max-[600px]:hidden',
        )}
      >
        <Building2 aria-hidden size={12} className="flex-none" />
        <ContactCompany contact={contact} />
      </span>
      <span
        className={cn(
          'flex-none px-1 tabular-nums',
          isPanelOpen ? 'md:@max-[800px]:hidden' : 'md:@max-[600px]:hidden',
        )}
      >
        {contact.phone ? formatPhone(contact.phone) : hiddenNumber}
      </span>
      {children}
    </div>
  )
}

/** What runs out first of the targets, by the minute. */
function SlaFact(props: { sla: NonNullable<Conversation['sla']>; waitingSince: string | null }) {
  return <SlaClock isLong {...props} nowMs={useNow(10_000)} className="flex-none px-1 max-md:order-first" />
}

/** The usual state is shown only where there is room for it. */
function AutoClose({ isOff }: { isOff: boolean }) {
  const Icon = isOff ? TimerOff : Timer
  return (
    <span className={`inline-flex flex-none items-center gap-1 px-1 ${isOff ? '' : '@max-[860px]:hidden'}`}>
      <Icon aria-hidden size={12} />
      {isOff ? 'não fecha sozinha' : `fecha sozinha após ${inactivityMinutes} min`}
    </span>
  )
}

function Protocol({ protocol }: { protocol: string }) {
  return (
    <span className="ml-auto inline-flex flex-none items-center gap-1 pl-2 tabular-nums">
      <span className="text-ink-3 @max-[700px]:sr-only">Protocolo</span> {protocol}
      <CopyButton what="protocolo" text={protocol} />
    </span>
  )
}
