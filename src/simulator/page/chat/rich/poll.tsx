import { ChartNoAxesColumn, Circle, CircleCheck, Square, SquareCheck } from 'lucide-react'
import type { By, RichOf } from '#simulator/control-api.ts'
import type { ChatMessage } from '#simulator/control-views.ts'
import { simulatorApi } from '#simulator/page/data/api.ts'
import { useAction } from '#simulator/page/data/mutations.ts'
import { cn } from '#web/ui/cn.ts'

function howMany(count: number): string {
  if (count === 1) return 'Escolha uma opção'
  return count === 0 ? 'Escolha uma ou mais opções' : `Escolha até ${count} opções`
}

/** The choice after a click on `option`: clicking a chosen one removes it; a single choice is replaced. */
function choiceAfter(chosen: string[], option: string, selectableCount: number): string[] {
  if (chosen.includes(option)) return chosen.filter((other) => other !== option)
  return selectableCount === 1 ? [option] : [...chosen, option]
}

/** A poll. A click votes, another one changes the vote. */
export function Poll({
  message: { id: messageId, phoneId, votes = { phone: [], company: [] } },
  poll: { name, options, selectableCount },
  by,
}: {
  message: ChatMessage
  poll: RichOf<'poll'>
  by: By
}) {
  const { run, isRunning } = useAction()
  const mine = by === 'phone' ? votes.phone : votes.company
  const isFull = selectableCount > 1 && mine.length >= selectableCount
  function vote(option: string) {
    if (isRunning || (isFull && !mine.includes(option))) return
    run(() =>
      simulatorApi.vote(phoneId, { messageId, options: choiceAfter(mine, option, selectableCount), by }),
    )
  }
  return (
    <div role="group" aria-label={`Enquete: ${name}`} className="w-[190px] max-w-full">
      <p dir="auto" className="font-medium">
        {name}
      </p>
      <p className="mt-0.5 mb-1 flex items-center gap-1 text-xs text-ink-2">
        <ChartNoAxesColumn size={12} aria-hidden />
        {howMany(selectableCount)}
      </p>
      {options.map((option, index) => (
        <Option
          // oxlint-disable-next-line react/no-array-index-key -- options never move and may repeat
          key={index}
          option={option}
          isMine={mine.includes(option)}
          isSingle={selectableCount === 1}
          isBarred={isFull && !mine.includes(option)}
          count={[votes.phone, votes.company].filter((side) => side.includes(option)).length}
          onPress={() => vote(option)}
        />
      ))}
    </div>
  )
}

function Option({
  option,
  isMine,
  isSingle,
  isBarred,
  count,
  onPress,
}: {
  option: string
  isMine: boolean
  isSingle: boolean
  isBarred: boolean
  count: number
  onPress: () => void
}) {
  const Mark = isSingle ? (isMine ? CircleCheck : Circle) : isMine ? SquareCheck : Square
  return (
    <button
      type="button"
      aria-pressed={isMine}
      aria-disabled={isBarred || undefined}
      onClick={onPress}
      className={cn(
        '-mx-1 flex min-h-8 w-[calc(100%+8px)] items-center gap-2 rounded-[6px] px-1 py-1 text-left',
        isBarred ? 'cursor-default text-ink-3' : 'hover:bg-ink/5',
      )}
    >
      <Mark size={16} aria-hidden className={cn('shrink-0', isMine ? 'text-accent-text' : 'text-ink-3')} />
      <span dir="auto" className="min-w-0 flex-1">
        {option}
      </span>
      {count > 0 && (
        <span className="shrink-0 text-xs text-ink-2 tabular-nums">
          {count}
          <span className="sr-only">{count === 1 ? ' voto' : ' votos'}</span>
        </span>
      )}
    </button>
  )
}
