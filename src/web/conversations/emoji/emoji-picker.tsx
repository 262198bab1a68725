import { useQuery } from '@tanstack/react-query'
import { Clock } from 'lucide-react'
import { useMemo, useState, type KeyboardEvent, type ReactNode } from 'react'
import { cn } from '#web/ui/cn.ts'
import { ErrorState } from '#web/ui/states/error-state.tsx'
import { SearchField } from '#web/ui/fields/search-field.tsx'
import { Skeleton } from '#web/ui/states/skeleton.tsx'
import { clampedStep, useListbox } from '#web/ui/fields/use-listbox.ts'
import { categories, type Emoji, fetchEmojis, findEmojis, skinTones, toned } from './emojis.ts'
import { chosenTone, noteEmoji, recentEmojis } from './recent-emojis.ts'

const columns = 8
const mostFound = 120

interface PickerProps {
  /** @param isMore whether the picker should stay for another one */
  onChoose: (emoji: string, isMore: boolean) => void
  /** Whether several can be chosen. */
  isForMany: boolean
}

/**
 * Emojis by category or by name. The focus stays in the search field; the arrow keys move among the emojis.
 */
export function EmojiPicker(props: PickerProps) {
  const { data, isError, refetch } = useQuery({
    queryKey: ['emojis'],
    queryFn: fetchEmojis,
    staleTime: Infinity,
    gcTime: Infinity,
    refetchInterval: false,
  })
  if (data) return <Picker all={data} {...props} />
  if (isError)
    return <ErrorState description="Não foi possível carregar os emojis." onRetry={() => void refetch()} />
  return <Skeleton className="size-full" />
}

function Picker({ all, onChoose, isForMany }: PickerProps & { all: readonly Emoji[] }) {
  const [recent] = useState(() => recentOf(all))
  const [group, setGroup] = useState<number>(recent.length > 0 ? recentGroup : 0)
  const [search, setSearch] = useState('')
  const tone = chosenTone.use()
  const shown = useMemo(() => {
    if (search.trim() !== '') return asShown(findEmojis(all, search).slice(0, mostFound), tone)
    if (group === recentGroup) return recent
    return asShown(
      all.filter((each) => each.group === group),
      tone,
    )
  }, [all, group, recent, search, tone])
  const listbox = useListbox({
    count: shown.length,
    stepFor,
    onChoose: (index, isMore) => {
      const chosen = shown[index]
      if (!chosen) return
      noteEmoji(chosen.emoji)
      onChoose(chosen.emoji, isForMany && isMore)
    },
  })
  const { marked, markOption } = listbox
  const showGroup = (next: number) => {
    setGroup(next)
    setSearch('')
    markOption(0)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || event.altKey || event.ctrlKey || event.metaKey) return
    if (steps[event.key] === undefined && event.key !== 'Enter') return
    event.preventDefault()
    if (!listbox.moveByKey(event.key) && event.key === 'Enter') listbox.chooseMarked(event.shiftKey)
  }
  return (
    <div className="flex h-full flex-col gap-2">
      <SearchField
        value={search}
        onChange={(next) => {
          setSearch(next)
          markOption(0)
        }}
        placeholder="Buscar emoji..."
        onKeyDown={onKeyDown}
        {...listbox.owner}
      />
      <div role="group" aria-label="Categorias" className="flex justify-between">
        <CategoryButton
          name="Recentes"
          isOn={group === recentGroup && search === ''}
          onClick={() => showGroup(recentGroup)}
        >
          <Clock size={16} aria-hidden />
        </CategoryButton>
        {categories.map((each) => (
          <CategoryButton
            key={each.group}
            name={each.name}
            isOn={group === each.group && search === ''}
            onClick={() => showGroup(each.group)}
          >
            <span aria-hidden>{each.icon}</span>
          </CategoryButton>
        ))}
      </div>
      <EmojiGrid shown={shown} listbox={listbox} isSearch={search.trim() !== ''} />
      <div className="flex items-center justify-between gap-2 border-t border-line pt-2">
        <div className="min-w-0 flex-1 text-xs">
          <p className="truncate text-ink-2" title={shown[marked]?.name}>
            {shown[marked]?.name}
          </p>
          {isForMany && <p className="truncate text-ink-3 pointer-coarse:hidden">Shift: vários</p>}
        </div>
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

function stepFor(key: string, from: number, count: number): number | undefined {
  const step = steps[key]
  return step === undefined ? undefined : clampedStep(from, step, count)
}

interface Shown {
  emoji: string
  name: string
}

function asShown(all: readonly Emoji[], tone: number): Shown[] {
  return all.map((each) => ({ emoji: toned(each, tone), name: each.name }))
}

/** Recent emojis, in the skin tone they were chosen with. */
function recentOf(all: readonly Emoji[]): Shown[] {
  const recent = recentEmojis()
  if (recent.length === 0) return []
  const names = new Map(
    all.flatMap(({ emoji, tones, name }) => [emoji, ...tones].map((each) => [each, name])),
  )
  return recent.map((emoji) => ({ emoji, name: names.get(emoji) ?? '' }))
}

function CategoryButton(props: { name: string; isOn: boolean; onClick: () => void; children: ReactNode }) {
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
  shown,
  listbox,
  isSearch,
}: {
  shown: readonly Shown[]
  listbox: ReturnType<typeof useListbox>
  isSearch: boolean
}) {
  const { marked, markOption } = listbox
  return (
    <div
      {...listbox.list}
      tabIndex={-1}
      aria-label="Emojis"
      className="grid min-h-0 flex-1 auto-rows-[36px] grid-cols-8 overflow-y-auto thin-scroll"
    >
      {shown.map((each, index) => (
        <div
          key={each.emoji}
          {...listbox.option(index)}
          aria-label={each.name}
          title={each.name}
          onPointerMove={() => index !== marked && markOption(index)}
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
