import { useQuery } from '@tanstack/react-query'
import { type LucideIcon, UserRound } from 'lucide-react'
import { type ReactNode, useMemo } from 'react'
import { useLocation } from 'wouter'
import { formatPhone } from '#shared/text/phone.ts'
import { hiddenNumber, unknownContact } from '#shared/text/text.ts'
import { contactQueries, useStartChat } from '#web/contacts/contacts.tsx'
import { conversationQueries } from '#web/conversations/conversations.tsx'
import { useWholePhone } from '#web/platform/whole-phone.ts'
import { useOffered } from '#web/platform/commands.ts'
import { Avatar } from '#web/ui/badges/avatar.tsx'
import { KeyCap } from '#web/ui/badges/key-cap.tsx'
import { PauseIcon } from '#web/ui/badges/pause-icon.tsx'
import { pauseQuery, useCan, useMe, useOwnPresence } from '#web/users/users.tsx'
import { useNavGroups } from '#web/shell/navigation/nav.ts'
import { commandsOfAll } from '#web/shell/use-overlay.ts'
import {
  type Found,
  findIn,
  mostOfAKind,
  searchable,
  searchableContact,
  searchableConversation,
} from './palette-results.ts'
import { useSaidGroups } from './use-said-groups.tsx'

interface PaletteItem {
  /** Unique in the palette. */
  value: string
  shown: ReactNode
  run: () => void
}

interface PaletteGroup extends Found<PaletteItem> {
  heading: string
}

/** The results for the query, in groups; empty groups are omitted. */
export function usePaletteGroups(query: string): {
  groups: PaletteGroup[]
  isSearching: boolean
  /** In Portuguese, when a part could not be searched. */
  trouble: string | undefined
} {
  const actions = useActions(query)
  const conversations = useConversations(query)
  const screens = useScreens(query)
  const contacts = useContacts(query, conversations.contactIds)
  const said = useSaidGroups(query)
  // Who is looked for by a name comes before what was said.
  const messages = { heading: 'Mensagens', rank: 3, items: said.messages }
  const archived = { heading: 'Arquivamento', rank: 3, items: said.archived }
  const pauses = usePauses(query)
  const groups = [...actions, pauses, conversations.group, screens, contacts.group, messages, archived]
    .filter(({ items }) => items.length > 0)
    // Equal ranks keep this order.
    .toSorted((a, b) => a.rank - b.rank)
  return {
    groups,
    isSearching: contacts.isSearching || said.isSearching,
    trouble:
      contacts.trouble ??
      (said.isFailed ? 'Sem resposta do servidor: as mensagens não foram buscadas.' : undefined),
  }
}

function useActions(query: string): PaletteGroup[] {
  const offered = useOffered()
  const entries = useMemo(() => offered.map((item) => ({ item, text: searchable(item.label) })), [offered])
  const { items, rank } = findIn(entries, query)
  return [...Map.groupBy(items, ({ group }) => group)].map(([heading, commands]) => ({
    heading,
    // The same on every screen, therefore last.
    rank: heading === commandsOfAll ? rank + 1 : rank,
    items: commands.map(({ id, label, icon, letter, run }) => ({
      value: `action ${id}`,
      run,
      shown: (
        <>
          <Labelled icon={icon} label={label} />
          {letter && (
            <span aria-hidden className="ml-auto flex-none max-md:hidden">
              <KeyCap>Alt</KeyCap> <KeyCap>{letter}</KeyCap>
            </span>
          )}
        </>
      ),
    })),
  }))
}

/** What a person can pause for; nothing without a word of it, since it is offered on every screen. */
function usePauses(query: string): PaletteGroup {
  const { pause, choose } = useOwnPresence()
  const { data } = useQuery(pauseQuery)
  const entries = (data ?? [])
    .filter(({ id, isActive }) => isActive && id !== pause?.reasonId)
    .map((item) => ({ item, text: searchable(`Pausa: ${item.name}`) }))
  const { items, rank } = query.trim() === '' ? { items: [], rank: 3 } : findIn(entries, query)
  return {
    heading: 'Pausas',
    rank: rank + 1,
    items: items.map((reason) => ({
      value: `pause ${reason.id}`,
      run: () => choose(reason),
      shown: (
        <>
          <span className="mx-1 flex-none text-ink-2">
            <PauseIcon icon={reason.icon} />
          </span>
          <span className="min-w-0 truncate">Pausa: {reason.name}</span>
          {reason.limitMinutes !== null && (
            <span className="ml-auto flex-none text-xs text-ink-2">{reason.limitMinutes} min</span>
          )}
        </>
      ),
    })),
  }
}

function useScreens(query: string): PaletteGroup {
  const [, navigate] = useLocation()
  const entries = useNavGroups()
    .flat()
    .map((item) => ({ item, text: searchable(item.label) }))
  const { items, rank } = findIn(entries, query)
  return {
    heading: 'Telas',
    rank,
    items: items.map(({ path, label, icon }) => ({
      value: `screen ${path}`,
      run: () => navigate(path),
      shown: <Labelled icon={icon} label={label} />,
    })),
  }
}

function useConversations(query: string): { group: PaletteGroup; contactIds: ReadonlySet<number> } {
  const { id: userId } = useMe()
  const [, navigate] = useLocation()
  const { data } = useQuery({ ...conversationQueries.open(), enabled: useCan('viewConversations') })
  const phone = useWholePhone(query)
  const entries = useMemo(() => {
    const all = (data ?? []).map((item) => ({ item, text: searchableConversation(item) }))
    // Of those that match equally well the user's own come first: they are what people return to.
    const isMine = ({ item }: (typeof all)[number]) => item.assignedUserId === userId
    return [...all.filter(isMine), ...all.filter((entry) => !isMine(entry))]
  }, [data, userId])
  const { found, rank } = useMemo(() => {
    const { items, rank: best } = findIn(entries, query, phone)
    return { found: items.slice(0, mostOfAKind), rank: best }
  }, [entries, query, phone])
  const items = found.map(({ id, contact, assignedUser, queuePosition }) => ({
    value: `conversation ${id}`,
    run: () => navigate(`/chat?conversation=${id}`),
    shown: (
      <>
        <Avatar name={contact.name || unknownContact} src={contact.avatarUrl} size={24} />
        <Named name={contact.name} detail={contact.company?.name ?? phoneOf(contact.phone)} />
        <span className="ml-auto flex-none text-xs text-ink-2 max-md:hidden">
          {assignedUser?.name ?? (queuePosition === 0 ? '' : `FILA #${queuePosition}`)}
        </span>
      </>
    ),
  }))
  return {
    group: { heading: 'Conversas abertas', rank, items },
    contactIds: new Set(found.map(({ contactId }) => contactId)),
  }
}

/** A single letter matches half of them. */
const leastLength = 2

/** @param shown contacts whose open conversation is already among the results */
function useContacts(query: string, shown: ReadonlySet<number>) {
  const words = query.trim()
  const enabled = useCan('viewContacts') && words.length >= leastLength
  const { data, isFetching, isError, isPlaceholderData } = useQuery({
    ...contactQueries.found(words, mostOfAKind),
    enabled,
  })
  const { mutate: start } = useStartChat()
  const whole = useWholePhone(words)
  const all = enabled ? (data ?? []) : []
  // Until the response arrives, results of the previous query that match this one too: Enter must not lead to
  // somebody else.
  const fitting = isPlaceholderData ? findIn(all.map(searchableContact), words, whole).items : all
  const found = fitting.filter(({ id }) => !shown.has(id))
  const items = found.map(({ id, name, phone, company }) => ({
    value: `contact ${id}`,
    run: () => start({ contactId: id }),
    shown: (
      <>
        <UserRound size={16} aria-hidden className="mx-1 flex-none text-ink-2" />
        <Named name={name} detail={company?.name ?? phoneOf(phone)} />
      </>
    ),
  }))
  return {
    group: { heading: 'Contatos', rank: 1, items },
    isSearching: enabled && isFetching,
    trouble: enabled && isError ? 'Não foi possível buscar os contatos.' : undefined,
  }
}

const phoneOf = (phone: string | null) => (phone ? formatPhone(phone) : hiddenNumber)

function Labelled({ icon: Icon, label }: { icon: LucideIcon; label: string }) {
  return (
    <>
      <Icon size={16} aria-hidden className="mx-1 flex-none text-ink-2" />
      <span className="min-w-0 truncate">{label}</span>
    </>
  )
}

function Named({ name, detail }: { name: string; detail: string }) {
  return (
    <span className="flex min-w-0 items-baseline gap-2">
      <span className="truncate font-medium" dir="auto">
        {name || unknownContact}
      </span>
      <span className="truncate text-xs text-ink-2 tabular-nums">{detail}</span>
    </span>
  )
}
