import { useQuery } from '@tanstack/react-query'
import { Clock } from 'lucide-react'
import { useId, useMemo, useState, type KeyboardEvent } from 'react'
import { cn } from '#web/ui/cn.ts'
import { ErrorState } from '#web/ui/error-state.tsx'
import { SearchField } from '#web/ui/search-field.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { categories, type Emoji, fetchEmojis, findEmojis, skinTones, toned } from './emojis.ts'
import { chosenTone, noteEmoji, recentEmojis } from './recent-emojis.ts'

const columns = 8
const mostFound = 120

/** Emojis by category, or by what they are called. The focus stays in the search; the arrows move among the emojis. */
export function EmojiPicker({ onChoose }: { onChoose: (emoji: string) => void }) {
  const { data, isError, refetch } = useQuery({
    queryKey: ['emojis'],
    queryFn: fetchEmojis,
    staleTime: Infinity,
    gcTime: Infinity,
    refetchInterval: false,
  })
  if (data) return <Picker all={data} onChoose={onChoose} />
  if (isError)
    return <ErrorState description="Não foi possível carregar os emojis." onRetry={() => void refetch()} />
  return <Skeleton className="size-full" />
}

function Picker({ all, onChoose }: { all: readonly Emoji[]; onChoose: (emoji: string) => void }) {
  const [recent] = useState(() => recentOf(all))
  const [group, setGroup] = useState<number>(recent.length > 0 ? recentGroup : 0)
  const [search, setSearch] = useState('')
  const [marked, setMarked] = useState(0)
  const tone = chosenTone.use()
  const id = useId()
  const shown = useMemo(() => {
    if (search.trim() !== '') return asShown(findEmojis(all, search).slice(0, mostFound), tone)
    if (group === recentGroup) return recent
    return asShown(
      all.filter((each) => each.group === group),
      tone,
    )
  }, [all, group, recent, search, tone])
  const at = Math.min(marked, shown.length - 1)

  const choose = ({ emoji }: Shown) => {
    noteEmoji(emoji)
    onChoose(emoji)
  }
  const show = (next: number) => {
    setGroup(next)
    setSearch('')
    setMarked(0)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || event.altKey || event.ctrlKey || event.metaKey) return
    const step = steps[event.key]
    if (step !== undefined) {
      event.preventDefault()
      setMarked(Math.max(0, Math.min(shown.length - 1, at + step)))
    } else if (event.key === 'Enter') {
      event.preventDefault()
      const chosen = shown[at]
      if (chosen) choose(chosen)
    }
  }
  return (
    <div className="flex h-full flex-col gap-2">
      <SearchField
        value={search}
        onChange={(next) => {
          setSearch(next)
          setMarked(0)
        }}
        placeholder="Buscar emoji..."
        onKeyDown={onKeyDown}
        aria-controls={id}
        aria-activedescendant={shown.length > 0 ? `${id}-${at}` : undefined}
      />
      <div role="group" aria-label="Categorias" className="flex justify-between">
        <CategoryButton
          name="Recentes"
          isOn={group === recentGroup && search === ''}
          onClick={() => show(recentGroup)}
        >
          <Clock size={16} aria-hidden />
        </CategoryButton>
        {categories.map((each) => (
          <CategoryButton
            key={each.group}
            name={each.name}
            isOn={group === each.group && search === ''}
            onClick={() => show(each.group)}
          >
            <span aria-hidden>{each.icon}</span>
          </CategoryButton>
        ))}
      </div>
      <EmojiGrid
        id={id}
        shown={shown}
        marked={at}
        isSearch={search.trim() !== ''}
        onChoose={choose}
        onMark={setMarked}
      />
      <div className="flex items-center justify-between gap-2 border-t border-line pt-2">
        <p className="min-w-0 flex-1 truncate text-xs text-ink-2" title={shown[at]?.name}>
          {shown[at]?.name}
        </p>
        <Tones tone={tone} />
      </div>
    </div>
  )
}

const recentGroup = -1
const steps: Record<string, number> = {
  ArrowRight: 1,
  ArrowLeft: -1,
  ArrowDown: columns,
  ArrowUp: -columns,
}

interface Shown {
  emoji: string
  name: string
}

const asShown = (all: readonly Emoji[], tone: number): Shown[] =>
  all.map((each) => ({ emoji: toned(each, tone), name: each.name }))

/** With the skin that they were chosen with. */
function recentOf(all: readonly Emoji[]): Shown[] {
  const recent = recentEmojis()
  if (recent.length === 0) return []
  const names = new Map(
    all.flatMap(({ emoji, tones, name }) => [emoji, ...tones].map((each) => [each, name])),
  )
  return recent.map((emoji) => ({ emoji, name: names.get(emoji) ?? '' }))
}

function CategoryButton(props: {
  name: string
  isOn: boolean
  onClick: () => void
  children: React.ReactNode
}) {
  return (
    <button
      type="button"
      aria-label={props.name}
      title={props.name}
      aria-pressed={props.isOn}
      onClick={props.onClick}
      className={cn(
        'grid size-7 place-items-center rounded-control text-base text-ink-2 hover:bg-hover',
        props.isOn && 'bg-selected',
      )}
    >
      {props.children}
    </button>
  )
}

function EmojiGrid({
  id,
  shown,
  marked,
  isSearch,
  onChoose,
  onMark,
}: {
  id: string
  shown: readonly Shown[]
  marked: number
  isSearch: boolean
  onChoose: (emoji: Shown) => void
  onMark: (index: number) => void
}) {
  return (
    <div
      id={id}
      role="listbox"
      tabIndex={-1}
      aria-label="Emojis"
      className="grid min-h-0 flex-1 auto-rows-[36px] grid-cols-8 overflow-y-auto thin-scroll"
    >
      {shown.map((each, index) => (
        // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the keys are the search's
        <div
          key={each.emoji}
          id={`${id}-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === marked}
          aria-label={each.name}
          title={each.name}
          ref={index === marked ? scrollHere : undefined}
          // The search keeps the focus.
          onPointerDown={(event) => event.preventDefault()}
          onPointerMove={() => index !== marked && onMark(index)}
          onClick={() => onChoose(each)}
          className={cn(
            'grid cursor-pointer place-items-center rounded-[7px] text-xl',
            index === marked && 'bg-selected',
          )}
        >
          {each.emoji}
        </div>
      ))}
      {shown.length === 0 && (
        <div
          role="option"
          tabIndex={-1}
          aria-selected={false}
          aria-disabled
          className="col-span-8 p-2 text-ink-2"
        >
          {isSearch ? 'Nenhum emoji encontrado' : 'Os emojis que você usar aparecem aqui'}
        </div>
      )}
    </div>
  )
}

const scrollHere = (element: HTMLElement | null) => element?.scrollIntoView({ block: 'nearest' })

function Tones({ tone }: { tone: number }) {
  return (
    <div role="group" aria-label="Tom de pele" className="flex">
      {['✋', '✋🏻', '✋🏼', '✋🏽', '✋🏾', '✋🏿'].map((hand, index) => (
        <button
          key={hand}
          type="button"
          aria-label={skinTones[index]}
          title={skinTones[index]}
          aria-pressed={index === tone}
          onClick={() => chosenTone.set(index)}
          className={cn(
            'grid size-6 place-items-center rounded-control text-sm hover:bg-hover',
            index === tone && 'bg-selected',
          )}
        >
          <span aria-hidden>{hand}</span>
        </button>
      ))}
    </div>
  )
}
